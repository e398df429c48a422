// Writes what VS Code itself holds to the file $CAVEAT_PROBE: the diagnostics of every document with the words that
// they underline, the languages, the editor in front, whether the window is trusted. The page shows no exact ranges.
const vscode = require("vscode");
const fs = require("node:fs");

const SEVERITY = ["error", "warning", "info", "hint"];

exports.activate = (context) => {
  const file = process.env.CAVEAT_PROBE;
  const write = () => {
    const diagnostics = [];
    for (const [uri, found] of vscode.languages.getDiagnostics()) {
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
      for (const { range, code, severity, message, source } of found) {
        diagnostics.push({
          file: uri.path,
          line: range.start.line + 1,
          start: range.start.character,
          end: range.end.character,
          text: document && document.getText(range),
          rule: typeof code === "object" ? code.value : code,
          severity: SEVERITY[severity],
          message,
          source,
        });
      }
    }
    diagnostics.sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.start - b.start);
    const active = vscode.window.activeTextEditor;
    const state = {
      trusted: vscode.workspace.isTrusted,
      active: active && { file: active.document.uri.path, scheme: active.document.uri.scheme, language: active.document.languageId, text: active.document.getText(), dirty: active.document.isDirty, line: active.selection.active.line + 1, column: active.selection.active.character },
      documents: vscode.workspace.textDocuments.map((one) => ({ file: one.uri.path, scheme: one.uri.scheme, language: one.languageId, text: one.uri.scheme === "caveat" ? one.getText() : undefined })),
      diagnostics,
    };
    const text = JSON.stringify(state);
    if (text === write.last) return;
    write.last = text;
    fs.writeFileSync(file + ".part", text);
    fs.renameSync(file + ".part", file);
  };
  const timer = setInterval(write, 50);
  context.subscriptions.push({ dispose: () => clearInterval(timer) });
};
