// "Explain this line": what hover says anywhere on the line, without having to find the place with a pointer.

import { DiagnosticSeverity, languages, MarkdownString, Position, TextEditor, Uri, window, workspace } from "vscode";
import { HoverRequest, LanguageClient } from "vscode-languageclient/node";
import { Pages } from "./pages";

export async function explainLine(client: LanguageClient, pages: Pages): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    void window.showInformationMessage("caveat: open a document first, and put the cursor on the line to explain.");
    return;
  }
  const line = editor.selection.active.line;
  const parts: string[] = [];
  for (const place of places(editor, line)) {
    for (const part of await hover(client, editor.document.uri, place)) {
      if (!parts.includes(part)) parts.push(part);
    }
  }
  if (parts.length === 0) {
    void window.showInformationMessage(`caveat: line ${line + 1} gives no command that does harm, and stands in no prohibition.`);
    return;
  }
  const name = workspace.asRelativePath(editor.document.uri).split("/").pop() ?? "document";
  await pages.show(`${name} line ${line + 1}`, `# Line ${line + 1}\n\n${parts.join("\n\n---\n\n")}\n`);
}

/** The start of the line and of each finding on it. */
function places(editor: TextEditor, line: number): Position[] {
  const found = languages
    .getDiagnostics(editor.document.uri)
    .filter((one) => one.source === "caveat" && one.range.start.line <= line && line <= one.range.end.line)
    .sort((a, b) => (a.severity ?? DiagnosticSeverity.Hint) - (b.severity ?? DiagnosticSeverity.Hint))
    .map((one) => (one.range.start.line === line ? one.range.start : new Position(line, 0)));
  return [...found, editor.selection.active, new Position(line, 0)];
}

async function hover(client: LanguageClient, uri: Uri, position: Position): Promise<string[]> {
  const said = await client.sendRequest(HoverRequest.type, {
    textDocument: { uri: client.code2ProtocolConverter.asUri(uri) },
    position: { line: position.line, character: position.character },
  });
  const contents = client.protocol2CodeConverter.asHover(said)?.contents ?? [];
  const text = contents.map((one) => (one instanceof MarkdownString ? one.value : String(one))).join("\n\n");
  // Hover sets its parts apart with a rule; on a line with two findings the proof is then shown once.
  return text.split(/\n\n---\n\n/).map((part) => part.trim()).filter((part) => part !== "");
}
