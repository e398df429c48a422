// caveat in VS Code. This file ties the parts together; each command is one line here.

import { commands, ConfigurationTarget, ExtensionContext, window, workspace } from "vscode";
import { ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";
import { auditPage, FolderAudit } from "./audit";
import { explainLine } from "./explain";
import { Folders } from "./folders";
import { Pages } from "./pages";
import { Server } from "./server";
import { Status } from "./status";

const SAMPLE = [
  "# Working in this repository",
  "",
  "If the tests complain, clear the cache: run `rm -rf ~/.cache/lantern` and try again.",
  "",
  "Never run these commands:",
  "",
  "- rm -rf /srv/lantern/queue",
  "- git push --force origin main",
  "",
].join("\n");

let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const output = window.createOutputChannel("caveat", { log: true });
  const status = new Status();
  const pages = new Pages();
  const folders = new Folders(output);
  const ours = (server = new Server(context, output, (condition) => {
    status.set(condition);
    void commands.executeCommand("setContext", "caveat.running", condition === "running");
  }));

  /** Runs `act` with the running server, or says that there is none. */
  const withServer = async (act: (client: LanguageClient) => Promise<void>) => {
    const client = ours.running;
    if (client !== undefined) return act(client);
    if ((await window.showErrorMessage("caveat: the server is not running.", "Restart", "Show Output")) === "Restart") await ours.restart();
  };

  const register = (name: string, act: () => unknown) => context.subscriptions.push(commands.registerCommand(name, act));
  register("caveat.explainLine", () => withServer((client) => explainLine(client, pages)));
  register("caveat.openAudit", () => withServer((client) => openAudit(client, ours, pages)));
  register("caveat.checkFolders", async () => {
    if (ours.program === undefined) await withServer(async () => undefined);
    else await folders.check(ours.program.path, ours.showsWorkspace);
  });
  register("caveat.toggleHints", toggleHints);
  register("caveat.openSample", async () => {
    await window.showTextDocument(await workspace.openTextDocument({ language: "markdown", content: SAMPLE }));
  });
  register("caveat.showOutput", () => output.show());
  register("caveat.restart", () => ours.restart());

  context.subscriptions.push(
    output,
    status,
    pages,
    folders,
    workspace.onDidGrantWorkspaceTrust(() => ours.restart()),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("caveat.workspaceDiagnostics")) folders.clear();
      if (event.affectsConfiguration("caveat.path")) void ours.restart();
      else if (event.affectsConfiguration("caveat")) ours.configure();
    }),
  );
  await ours.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

async function openAudit(client: LanguageClient, ours: Server, pages: Pages): Promise<void> {
  if (!ours.offers("caveat.audit")) {
    void window.showErrorMessage("caveat: the program that runs has no audit. Install a newer one.");
    return;
  }
  const said: FolderAudit[] = await client.sendRequest(ExecuteCommandRequest.type, { command: "caveat.audit", arguments: [] });
  await pages.show("caveat audit", auditPage(said));
}

/** Switches `caveat.inlayHints` where it is set, else for the person. */
async function toggleHints(): Promise<void> {
  const set = workspace.getConfiguration("caveat");
  const on = !set.get<boolean>("inlayHints", false);
  const inWorkspace = set.inspect("inlayHints")?.workspaceValue !== undefined;
  await set.update("inlayHints", on, inWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global);
  void window.setStatusBarMessage(on ? "caveat: hints are shown in place" : "caveat: hints are not shown", 5_000);
}
