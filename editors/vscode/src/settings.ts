// What the server is told of the settings. One place, because restricted mode changes what they say: there, every file
// is untrusted, whatever is set.

import { workspace } from "vscode";

/** The section `caveat` as the server is to see it. */
export function section(): Record<string, unknown> {
  const set = workspace.getConfiguration("caveat");
  return {
    showExempt: set.get("showExempt"),
    inlayHints: set.get("inlayHints"),
    maxDiagnostics: set.get("maxDiagnostics"),
    workspaceDiagnostics: set.get("workspaceDiagnostics"),
    untrusted: workspace.isTrusted ? set.get("untrusted") : ["**"],
  };
}
