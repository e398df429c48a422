// Pages that are shown and not stored: the explanation of a line, the audit.

import { Disposable, Position, TextDocument, TextDocumentContentProvider, Uri, ViewColumn, window, workspace } from "vscode";

const SCHEME = "caveat";

export class Pages implements TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered = workspace.registerTextDocumentContentProvider(SCHEME, this);
  private readonly closing = workspace.onDidCloseTextDocument((document: TextDocument) => this.texts.delete(document.uri.toString()));
  private count = 0;

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Shows `text` (Markdown) beside the editor under `title`, which becomes the tab's name. */
  async show(title: string, text: string): Promise<void> {
    // Each page has an address of its own: a page that was shown is never changed under its reader.
    this.count += 1;
    const uri = Uri.from({ scheme: SCHEME, path: `/${title}.md`, query: String(this.count) });
    this.texts.set(uri.toString(), text);
    const document = await workspace.openTextDocument(uri);
    const editor = await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: true });
    editor.revealRange(document.validateRange(editor.selection.with(new Position(0, 0), new Position(0, 0))));
  }

  dispose(): void {
    this.registered.dispose();
    this.closing.dispose();
  }
}
