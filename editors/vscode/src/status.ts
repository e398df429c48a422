// The item in the status bar: how many findings there are, and whether anybody is looking.

import { Diagnostic, DiagnosticSeverity, Disposable, languages, StatusBarAlignment, ThemeColor, window, workspace } from "vscode";
import { Condition } from "./server";

/** The findings of caveat in all documents. */
function counts(): { errors: number; warnings: number; rest: number } {
  const all: Diagnostic[] = languages.getDiagnostics().flatMap(([, found]) => found).filter((found) => found.source === "caveat");
  const of = (severity: DiagnosticSeverity) => all.filter((found) => found.severity === severity).length;
  const errors = of(DiagnosticSeverity.Error);
  const warnings = of(DiagnosticSeverity.Warning);
  return { errors, warnings, rest: all.length - errors - warnings };
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export class Status implements Disposable {
  private readonly item = window.createStatusBarItem("caveat.status", StatusBarAlignment.Left, 40);
  private readonly listening: Disposable[];
  private condition: Condition = "starting";

  constructor() {
    this.item.name = "caveat";
    this.listening = [
      languages.onDidChangeDiagnostics(() => this.show()),
      workspace.onDidGrantWorkspaceTrust(() => this.show()),
    ];
    this.show();
    this.item.show();
  }

  set(condition: Condition): void {
    this.condition = condition;
    this.show();
  }

  private show(): void {
    const { errors, warnings, rest } = counts();
    this.item.backgroundColor = undefined;
    switch (this.condition) {
      case "running": {
        this.item.text = `$(law) ${errors} $(error) ${warnings} $(warning)`;
        const said = `caveat: ${plural(errors, "error")}, ${plural(warnings, "warning")}, ${rest} of information`;
        this.item.tooltip = workspace.isTrusted ? said : `${said}\nRestricted mode: what files say of themselves does not count.`;
        this.item.accessibilityInformation = { label: said, role: "button" };
        this.item.command = "workbench.actions.view.problems";
        break;
      }
      case "starting":
        this.item.text = "$(law) $(loading~spin)";
        this.item.tooltip = "caveat is starting";
        this.item.accessibilityInformation = { label: "caveat is starting", role: "button" };
        this.item.command = "caveat.showOutput";
        break;
      case "stopped":
        this.item.text = "$(law) $(debug-disconnect)";
        this.item.tooltip = "caveat is not running. Click to start it.";
        this.item.accessibilityInformation = { label: "caveat is not running", role: "button" };
        this.item.backgroundColor = new ThemeColor("statusBarItem.warningBackground");
        this.item.command = "caveat.restart";
        break;
    }
  }

  dispose(): void {
    this.item.dispose();
    this.listening.forEach((one) => one.dispose());
  }
}
