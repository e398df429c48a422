// The life of the server: start, a crash, the end. Whatever goes wrong is told once, with a way on.

import { commands, ExtensionContext, LogOutputChannel, window, workspace } from "vscode";
import {
  CloseAction,
  DidChangeConfigurationNotification,
  ErrorAction,
  LanguageClient,
  LanguageClientOptions,
  RevealOutputChannelOn,
  State,
} from "vscode-languageclient/node";
import { Binary, findBinary, fits, NoBinary } from "./binary";
import { section } from "./settings";

/** What the status item shows of the server. */
export type Condition = "starting" | "running" | "stopped";

/** The last line: what VS Code calls files that address an agent, where it knows them. Each is Markdown. */
const LANGUAGES = [
  ...["markdown", "mdc", "plaintext", "json", "jsonc", "jsonl", "yaml", "toml"],
  ...["prompt", "instructions", "chatmode", "chatagent", "skill"],
];
/** So many crashes within so many milliseconds, and it is not started again. */
const CRASHES = 4;
const WITHIN = 180_000;

/** A client whose own messages go to the output alone: what a person has to know we say ourselves, once. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server {
  private client: LanguageClient | undefined;
  private binary: Binary | undefined;
  private crashes: number[] = [];
  private warned = false;
  /** Starts and stops, one after the other, however fast they are asked for. */
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: ExtensionContext,
    private readonly output: LogOutputChannel,
    private readonly changed: (condition: Condition) => void,
  ) {}

  /** The client while the server runs. */
  get running(): LanguageClient | undefined {
    return this.client?.state === State.Running ? this.client : undefined;
  }

  /** The program that was started last. */
  get program(): Binary | undefined {
    return this.binary;
  }

  /** Whether the server said that it carries out `command`. */
  offers(command: string): boolean {
    return this.running?.initializeResult?.capabilities.executeCommandProvider?.commands.includes(command) ?? false;
  }

  /** Whether the server shows the findings of every file of the workspace. */
  get showsWorkspace(): boolean {
    const provider = this.running?.initializeResult?.capabilities.diagnosticProvider;
    return (provider?.workspaceDiagnostics ?? false) && section().workspaceDiagnostics !== false;
  }

  start(): Promise<void> {
    return (this.queue = this.queue.then(() => this.begin()));
  }

  stop(): Promise<void> {
    return (this.queue = this.queue.then(() => this.end()));
  }

  restart(): Promise<void> {
    this.crashes = [];
    void this.stop();
    return this.start();
  }

  /** Tells the server what is set now. */
  configure(): void {
    void this.running?.sendNotification(DidChangeConfigurationNotification.type, { settings: { caveat: section() } });
  }

  private async begin(): Promise<void> {
    if (this.client !== undefined) return;
    this.changed("starting");
    try {
      this.binary = await findBinary(this.context);
    } catch (error) {
      this.changed("stopped");
      if (!(error instanceof NoBinary)) throw error;
      this.output.error(error.message);
      // Not awaited: the message stays until somebody reads it, and nothing may wait for that.
      void this.offer(error.message, error.setting ? ["Open Setting", "How to Install"] : ["Manage Trust"]);
      return;
    }
    this.output.info(`starting ${this.binary.path}, version ${this.binary.version}`);
    const ours = this.context.extension.packageJSON.version as string;
    if (!fits(this.binary.version, ours) && !this.warned) {
      this.warned = true;
      const text = `The program caveat is of version ${this.binary.version}, this extension is of ${ours}: some of what it offers may be missing. Install the version that fits, or empty the setting caveat.path.`;
      this.output.warn(text);
      void this.offer(text, ["Open Setting", "How to Install"]);
    }
    const client: LanguageClient = new QuietClient(
      "caveat",
      "caveat",
      { command: this.binary.path, args: ["lsp"], options: { detached: false } },
      this.options(() => this.crashed(client)),
    );
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.client === client && newState === State.Running) this.changed("running");
    });
    try {
      await client.start();
    } catch {
      this.crashed(client);
      return;
    }
    await commands.executeCommand("setContext", "caveat.offersAudit", this.offers("caveat.audit"));
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.changed("stopped");
    if (client !== undefined) await discard(client);
  }

  /** The program of `client` ended by itself, at whatever moment: it is started again, unless that happens too often. */
  private crashed(client: LanguageClient): void {
    // The end of one program may be told twice: while it starts both the start fails and the connection closes.
    if (this.client !== client) return;
    this.client = undefined;
    void discard(client);
    const now = Date.now();
    this.crashes = [...this.crashes.filter((then) => now - then < WITHIN), now];
    if (this.crashes.length <= CRASHES) {
      this.output.warn("the server ended unexpectedly; it is started again");
      this.changed("starting");
      void this.start();
      return;
    }
    this.changed("stopped");
    const text = `The server crashed ${this.crashes.length} times within three minutes and was not started again.`;
    this.output.error(text);
    void this.offer(text, ["Restart", "Show Output"]);
  }

  private options(closed: () => void): LanguageClientOptions {
    return {
      documentSelector: ["file", "untitled"].flatMap((scheme) => [
        ...LANGUAGES.map((language) => ({ scheme, language })),
        // Whatever other extensions call these; the server decides by path.
        { scheme, pattern: "**/*.{md,mdc,markdown,txt,json,jsonc,jsonl,yaml,yml,toml}" },
      ]),
      initializationOptions: section(),
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticPullOptions: { onChange: true, onSave: true, onTabs: false },
      middleware: {
        workspace: {
          configuration: async (params, token, next) => {
            const sections = await next(params, token);
            if (!Array.isArray(sections)) return sections;
            return sections.map((value, index) => (params.items[index]?.section === "caveat" ? section() : value));
          },
          // The client would send what is set, past restricted mode.
          didChangeConfiguration: async () => this.configure(),
        },
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          closed();
          // Starting it again is ours: the client would not try a second time where the first fails.
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
  }

  private async offer(text: string, ways: string[]): Promise<void> {
    switch (await window.showErrorMessage(`caveat: ${text}`, ...ways)) {
      case "Open Setting":
        await commands.executeCommand("workbench.action.openSettings", "caveat.path");
        break;
      case "How to Install":
        await commands.executeCommand("extension.open", this.context.extension.id);
        break;
      case "Manage Trust":
        await commands.executeCommand("workbench.trust.manage");
        break;
      case "Restart":
        await this.restart();
        break;
      case "Show Output":
        this.output.show();
        break;
    }
  }
}

/** Ends a client in whatever state it is; a server that hangs must not keep a new one from starting. */
async function discard(client: LanguageClient): Promise<void> {
  try {
    await client.dispose(5_000);
  } catch {
    // It never ran, or is gone already.
  }
}

/** Every folder of the window that is on the disk. */
export function folders(): string[] {
  return (workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file").map((folder) => folder.uri.fsPath);
}
