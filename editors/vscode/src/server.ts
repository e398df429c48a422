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
    const client = new LanguageClient(
      "caveat",
      "caveat",
      { command: this.binary.path, args: ["lsp"], options: { detached: false } },
      this.options(),
    );
    this.client = client;
    client.onDidChangeState(({ newState }) => {
      if (this.client === client) this.changed(newState === State.Running ? "running" : newState === State.Starting ? "starting" : "stopped");
    });
    try {
      await client.start();
    } catch {
      this.client = undefined;
      this.changed("stopped");
      void this.offer("The caveat server did not start.", ["Restart", "Show Output"]);
      return;
    }
    await commands.executeCommand("setContext", "caveat.offersAudit", this.offers("caveat.audit"));
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.changed("stopped");
    // A server that hangs must not keep a new one from starting.
    await client?.dispose(5_000).catch(() => undefined);
  }

  private options(): LanguageClientOptions {
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
          const now = Date.now();
          this.crashes = [...this.crashes.filter((then) => now - then < WITHIN), now];
          if (this.crashes.length <= CRASHES) {
            this.output.warn("the server ended unexpectedly; it is started again");
            return { action: CloseAction.Restart, handled: true };
          }
          this.output.error(`the server ended ${this.crashes.length} times within three minutes; it is left alone`);
          void this.offer(
            `The caveat server crashed ${this.crashes.length} times within three minutes and was not started again.`,
            ["Restart", "Show Output"],
          );
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

/** Every folder of the window that is on the disk. */
export function folders(): string[] {
  return (workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file").map((folder) => folder.uri.fsPath);
}
