// "Check workspace": the program's own `check`, so that a person sees what CI will say. What is open is left to the
// server, which knows the text that is not saved yet, and so are all files where it speaks for the whole workspace.

import { execFile } from "node:child_process";
import { promises as fs } from "node:fs";
import * as path from "node:path";
import { CancellationToken, Diagnostic, DiagnosticCollection, DiagnosticSeverity, Disposable, languages, LogOutputChannel, ProgressLocation, Range, Uri, window, workspace } from "vscode";
import { folders } from "./server";

/** What of the report's findings is used; lines and columns from 1, columns in Unicode scalar values. */
interface Finding {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  rule: string;
  severity: "error" | "warning" | "info";
  status: "reported" | "exempt" | "suppressed";
  message: string;
}

const SEVERITY = { error: DiagnosticSeverity.Error, warning: DiagnosticSeverity.Warning, info: DiagnosticSeverity.Information };

export class Folders implements Disposable {
  private readonly shown: DiagnosticCollection = languages.createDiagnosticCollection("caveat-workspace");
  private readonly listening: Disposable[];

  constructor(private readonly output: LogOutputChannel) {
    this.listening = [
      this.shown,
      // From here on the server speaks for the file, also when it is closed or changed on the disk.
      workspace.onDidOpenTextDocument((document) => this.shown.delete(document.uri)),
      workspace.onDidSaveTextDocument((document) => this.shown.delete(document.uri)),
      workspace.onDidDeleteFiles(({ files }) => files.forEach((file) => this.shown.delete(file))),
    ];
  }

  /** Checks every folder with `program`, and shows what is found in files that are not open, unless the server does (`served`). */
  async check(program: string, served: boolean): Promise<void> {
    const all = folders();
    if (all.length === 0) {
      void window.showInformationMessage("caveat: no folder is open that could be checked.");
      return;
    }
    await window.withProgress({ location: ProgressLocation.Notification, title: "caveat: checking the workspace", cancellable: true }, async (progress, token) => {
      this.shown.clear();
      let findings = 0;
      let files = 0;
      const failed: string[] = [];
      for (const folder of all) {
        progress.report({ message: path.basename(folder), increment: 0 });
        const report = await this.report(program, folder, token);
        if (token.isCancellationRequested) return;
        if (report === undefined) {
          failed.push(path.basename(folder));
          continue;
        }
        files += report.files;
        findings += served ? reported(report.findings).length : await this.show(folder, reported(report.findings));
        progress.report({ increment: 100 / all.length });
      }
      if (failed.length > 0) {
        const way = await window.showErrorMessage(`caveat: ${failed.join(", ")} could not be checked.`, "Show Output");
        if (way !== undefined) this.output.show();
        return;
      }
      void this.tell(findings, files);
    });
  }

  private async tell(findings: number, files: number): Promise<void> {
    const text = findings === 0 ? `caveat: nothing found in ${files} files.` : `caveat: ${findings} findings in ${files} files.`;
    if ((await window.showInformationMessage(text, ...(findings === 0 ? [] : ["Show Problems"]))) !== undefined) {
      const { commands } = await import("vscode");
      await commands.executeCommand("workbench.actions.view.problems");
    }
  }

  private report(program: string, folder: string, token: CancellationToken): Promise<{ files: number; findings: Finding[] } | undefined> {
    return new Promise((resolve) => {
      const trust = workspace.isTrusted ? [] : ["--untrusted"];
      const child = execFile(program, ["check", ".", "--format", "json", "--fail-on", "never", ...trust], { cwd: folder, maxBuffer: 1 << 30 }, (_error, stdout, stderr) => {
        try {
          const read = JSON.parse(stdout);
          if (read.version !== 1) throw new Error("a report of another version");
          resolve(read);
        } catch {
          if (!token.isCancellationRequested) this.output.error(stderr.trim() || "the report could not be read");
          resolve(undefined);
        }
      });
      token.onCancellationRequested(() => child.kill());
    });
  }

  /** Gives how many are reported, those of open documents included. */
  private async show(folder: string, findings: Finding[]): Promise<number> {
    const open = new Set(workspace.textDocuments.map((document) => document.uri.toString()));
    const byFile = new Map<string, Finding[]>();
    for (const finding of findings) byFile.set(finding.file, [...(byFile.get(finding.file) ?? []), finding]);
    for (const [file, its] of byFile) {
      const uri = Uri.file(path.join(folder, file));
      if (open.has(uri.toString())) continue;
      const lines = (await fs.readFile(uri.fsPath, "utf8").catch(() => "")).split(/\r\n|\r|\n/);
      this.shown.set(uri, its.map((finding) => diagnostic(finding, lines)));
    }
    return findings.length;
  }

  /** Takes back what was shown. */
  clear(): void {
    this.shown.clear();
  }

  dispose(): void {
    this.listening.forEach((one) => one.dispose());
  }
}

function reported(findings: Finding[]): Finding[] {
  return findings.filter((finding) => finding.status === "reported");
}

function diagnostic(finding: Finding, lines: string[]): Diagnostic {
  const range = new Range(
    finding.line - 1,
    units(lines[finding.line - 1] ?? "", finding.column - 1),
    finding.endLine - 1,
    units(lines[finding.endLine - 1] ?? "", finding.endColumn - 1),
  );
  const shown = new Diagnostic(range, finding.message, SEVERITY[finding.severity]);
  shown.source = "caveat";
  shown.code = finding.rule;
  return shown;
}

/** How many UTF-16 units the first `scalars` Unicode scalar values of `line` take. */
function units(line: string, scalars: number): number {
  return [...line].slice(0, scalars).join("").length;
}
