// The audit as a page to read, to search and to save: one table a folder.

/** What the server says of one open folder; `null`: its configuration is wrong, which its own diagnostics say. */
export interface FolderAudit {
  folder: string | null;
  audit: Audit | null;
}

interface Audit {
  files: number;
  entries: Entry[];
  skipped: { file: string; reason: string }[];
}

interface Entry {
  file: string;
  line: number;
  endLine: number | null;
  kind: string;
  scope: string;
  rules: string[];
  findings: number;
  state: string;
  reason: string | null;
  withheld: boolean;
  problem: string | null;
  files: string[];
  others: number;
  expires: string | null;
  daysLeft: number | null;
  commit: string | null;
  date: string | null;
}

/** A name or a reason as a cell: it may hold anything, and is shown as it is. */
function cell(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#&!]/g, "\\$&").replace(/\s+/g, " ");
}

export function auditPage(folders: FolderAudit[]): string {
  const parts = ["# caveat audit", "Every suppression, every rule that is off, everything that is exempt or only shown, and the files that are not read or in another role: those that instruct somebody by name, the others by their number."];
  for (const { folder, audit } of folders) {
    const name = folder === null ? "folder" : decodeURIComponent(folder.replace(/\/+$/, "").split("/").pop() ?? "folder");
    parts.push(`## ${cell(name)}`);
    if (audit === null) {
      parts.push("The configuration of this folder is wrong: Problems says where. Until it is mended there is no audit.");
      continue;
    }
    parts.push(`${audit.files} files were read.`);
    if (audit.entries.length > 0) {
      parts.push(["| where | kind | rules | findings | files | others | state | reason | expires | since |", "|---|---|---|---|---|---|---|---|---|---|", ...audit.entries.map(row)].join("\n"));
    }
    if (audit.skipped.length > 0) {
      parts.push(["| not read | because |", "|---|---|", ...audit.skipped.map(({ file, reason }) => `| ${cell(file)} | ${cell(reason)} |`)].join("\n"));
    }
  }
  return `${parts.join("\n\n")}\n`;
}

/** There may be thousands. */
const NAMES = 8;

function names(files: string[]): string {
  const rest = files.length - NAMES;
  return files.slice(0, NAMES).join(", ") + (rest > 0 ? `, and ${rest} more` : "");
}

function row(entry: Entry): string {
  const lines = entry.endLine === null || entry.endLine === entry.line ? `${entry.line}` : `${entry.line}–${entry.endLine}`;
  const reason = entry.withheld ? "withheld: a rule of caveat fires on it" : (entry.reason ?? entry.problem ?? "");
  const left = entry.daysLeft === null ? "" : ` (${entry.daysLeft} days)`;
  const since = entry.commit === null ? "" : `${entry.commit.slice(0, 12)} ${entry.date ?? ""}`;
  const cells = [`${entry.file}:${lines}`, entry.kind, entry.rules.join(", "), `${entry.findings}`, names(entry.files), entry.others === 0 ? "" : `${entry.others}`, entry.state, reason, (entry.expires ?? "") + left, since.trim()];
  return `| ${cells.map(cell).join(" | ")} |`;
}
