//! The JSON report, version 1: the types are the contract, and its schema is generated from them.

use std::io;

use caveat_analysis::catalogue::{Group, Severity};
use caveat_analysis::scope::Proof;
use caveat_analysis::text::{Encoding, Source, Str, column_of};
use caveat_analysis::verdict::{self, Stance, Status, SuppressedBy};
use caveat_workspace::name::is_hostile;
use caveat_workspace::walk::Skipped;
use schemars::JsonSchema;
use serde::Serialize;

use crate::arguments::FailOn;

/// What `caveat check --format json` writes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "caveat report, version 1")]
pub(crate) struct Report {
    /// The version of this format.
    #[schemars(range(min = 1, max = 1))]
    pub(crate) version: u32,
    /// How many files were read whole.
    pub(crate) files: usize,
    /// All findings, by file and place, whatever their status.
    pub(crate) findings: Vec<Finding>,
    /// What was not read, by name.
    pub(crate) skipped: Vec<SkippedFile>,
    /// Counts.
    pub(crate) summary: Summary,
    /// With `--baseline`: how it compares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) baseline: Option<Baseline>,
    /// With `--records`: why the line is no record. Then there is nothing else in the report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<RecordError>,
}

/// A commit that the files were compared with.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Baseline {
    /// The commit's full name.
    #[schemars(regex(pattern = "^[0-9a-f]{40,64}$"))]
    pub(crate) commit: String,
    /// How many findings are new, or graver than they were.
    pub(crate) new: usize,
    /// How many were there.
    pub(crate) unchanged: usize,
    /// The findings that were reported there and are not here. Their places are those of the commit.
    pub(crate) resolved: Vec<Finding>,
    /// What the change takes away from the rules by which the next one is judged. None of it counts for itself.
    pub(crate) loosened: Vec<Loosened>,
}

/// Something that a change loosens.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Loosened {
    /// The file, as in a finding.
    pub(crate) file: String,
    /// The line, where it stands on one.
    pub(crate) line: Option<usize>,
    /// What it is.
    #[schemars(extend("enum" = ["suppression-added", "suppression-extended", "rule-off", "severity-lowered",
        "stance-on", "label-added", "guard-removed", "role-relaxed", "less-read", "configuration-added",
        "configuration-removed", "base-unreadable"]))]
    pub(crate) what: &'static str,
    /// The rule that it is about.
    pub(crate) rule: Option<&'static str>,
    /// The same for a person.
    #[serde(skip)]
    pub(crate) says: &'static str,
}

impl Loosened {
    /// What to tell a person, in one sentence of ours.
    pub(crate) fn sentence(&self) -> String {
        let rule = self.rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
        format!("Loosened by this change, and not yet in force: {}{rule}.", self.says)
    }
}

/// A line that is no record.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct RecordError {
    /// The line of the input, from 1.
    pub(crate) line: u64,
    /// What is wrong with it.
    #[schemars(extend("enum" = ["too-long", "not-utf-8", "not-json", "not-a-record", "no-path", "no-text"]))]
    pub(crate) reason: &'static str,
}

/// One finding.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Finding {
    /// The file, relative to the scanned root, with `/`.
    pub(crate) file: String,
    /// The line where it starts, from 1.
    pub(crate) line: usize,
    /// The column where it starts, from 1, in Unicode scalar values.
    pub(crate) column: usize,
    /// The line where it ends.
    pub(crate) end_line: usize,
    /// The column after its last character.
    pub(crate) end_column: usize,
    /// The byte where it starts, from 0, in the text as UTF-8.
    pub(crate) offset: usize,
    /// Its length in bytes.
    pub(crate) length: usize,
    /// The rule's id.
    pub(crate) rule: &'static str,
    /// The rule's group.
    #[schemars(extend("enum" = GROUPS))]
    pub(crate) group: &'static str,
    /// How grave it is here.
    #[schemars(extend("enum" = ["error", "warning", "info"]))]
    pub(crate) severity: &'static str,
    /// Whether it is reported, exempt because a proved scope forbids it, or suppressed.
    #[schemars(extend("enum" = ["reported", "exempt", "suppressed"]))]
    pub(crate) status: &'static str,
    /// What the text does with it.
    #[schemars(extend("enum" = ["given", "shown", "forbidden"]))]
    pub(crate) stance: &'static str,
    /// What to tell a person. Carries no text of the document.
    pub(crate) message: String,
    /// The same for the same finding, wherever it moves: 128 bits in hexadecimal.
    #[schemars(regex(pattern = "^[0-9a-f]{32}$"))]
    pub(crate) fingerprint: String,
    /// The ways of hiding that had to be undone to see it.
    pub(crate) obfuscated: Vec<&'static str>,
    /// Where it is in a JSON, YAML or TOML document (RFC 6901).
    pub(crate) pointer: Option<String>,
    /// Which form of the rule it is.
    pub(crate) pattern: Option<&'static str>,
    /// The scope that exempts it, or the label beside it that has no force.
    pub(crate) scope: Option<Scope>,
    /// What suppresses it. The reason that was given stays where it stands.
    pub(crate) suppression: Option<Suppression>,
    /// Against a baseline: `new` or `unchanged`.
    pub(crate) change: Option<&'static str>,
    /// What else is known.
    pub(crate) data: Data,
}

const GROUPS: [&str; 10] = [
    "danger",
    "injection",
    "notice",
    "secret",
    "path",
    "quality",
    "suppression",
    "channel",
    "request",
    "config",
];

/// A scope and its proof.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Scope {
    /// What kind of scope it is.
    pub(crate) kind: &'static str,
    /// Whether it holds.
    pub(crate) holds: bool,
    /// Why it does not.
    pub(crate) reason: Option<&'static str>,
    /// The label or sentence that opens it.
    pub(crate) label: Label,
    /// What it covers.
    pub(crate) covers: Option<Covers>,
    /// What ends it.
    pub(crate) closed_by: Option<&'static str>,
}

/// Where a label stands: lines and columns as in a finding.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Label {
    /// Its line.
    pub(crate) line: usize,
    /// The column where it starts.
    pub(crate) column: usize,
    /// The column after its last character.
    pub(crate) end_column: usize,
}

/// The lines that a scope covers.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Covers {
    /// The first, from 1.
    pub(crate) line: usize,
    /// The last.
    pub(crate) end_line: usize,
}

/// A suppression that holds.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Suppression {
    /// How far it reaches: a block or the rest of a list item, the file, or what `caveat.toml` says.
    #[schemars(extend("enum" = ["block", "file", "config"]))]
    pub(crate) scope: &'static str,
    /// The line where it stands, from 1: of the file, or of `caveat.toml`.
    pub(crate) line: usize,
    /// The rules that it names.
    pub(crate) rules: Vec<&'static str>,
    /// The last day on which it holds, in UTC.
    #[schemars(regex(pattern = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub(crate) expires: String,
}

/// What else is known of a finding.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Data {
    /// The other rules that see the same words.
    pub(crate) also: Vec<&'static str>,
    /// Against a baseline: how grave it was there, if it is graver now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["warning", "info"]))]
    pub(crate) was: Option<&'static str>,
    /// With a notice: its code in the safety scan's own words, `INJECTION_SCAN_SKIPPED` and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    /// With a notice: `advisory`. It never changes the status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lint_status: Option<&'static str>,
}

impl Data {
    fn new(finding: &verdict::Finding) -> Data {
        let notice = finding.group == Group::Notice;
        let code = || format!("INJECTION_{}", finding.rule.name().replace('-', "_").to_ascii_uppercase());
        Data {
            was: None,
            also: finding.also.iter().map(|rule| rule.name()).collect(),
            code: notice.then(code),
            lint_status: notice.then_some("advisory"),
        }
    }
}

/// Something that was not read.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SkippedFile {
    /// Its name, as in a finding.
    pub(crate) file: String,
    /// Why.
    #[schemars(extend("enum" = ["too-large", "binary", "not-text", "unreadable", "link-outside", "link-broken", "fault"]))]
    pub(crate) reason: &'static str,
    /// Its size, where that is known.
    pub(crate) bytes: Option<u64>,
}

/// How many findings there are. Notices are counted apart and nowhere else.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Summary {
    /// Reported errors.
    pub(crate) error: usize,
    /// Reported warnings.
    pub(crate) warning: usize,
    /// Reported information.
    pub(crate) info: usize,
    /// All that is reported.
    pub(crate) reported: usize,
    /// What a proved scope forbids.
    pub(crate) exempt: usize,
    /// What a suppression covers.
    pub(crate) suppressed: usize,
    /// Advisory notices.
    pub(crate) notices: usize,
}

impl Report {
    /// A report of findings and skips that are in order already.
    pub(crate) fn new(files: usize, findings: Vec<Finding>, skipped: &[Skipped]) -> Report {
        let summary = Summary::of(findings.iter());
        let skipped = skipped.iter().map(|skipped| SkippedFile {
            file: skipped.name.clone(),
            reason: skipped.unread.reason.name(),
            bytes: skipped.unread.bytes,
        });
        Report {
            version: 1,
            files,
            findings,
            skipped: skipped.collect(),
            summary,
            baseline: None,
            error: None,
        }
    }

    /// Adds a finding in its place.
    pub(crate) fn add(&mut self, finding: Finding) {
        self.summary.count(&finding);
        let at = self.findings.partition_point(|one| one.file <= finding.file);
        self.findings.insert(at, finding);
    }

    /// Writes the report as one line of JSON.
    pub(crate) fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        write_json(self, out)
    }
}

impl Summary {
    /// How many of what `findings` are.
    pub(crate) fn of<'a>(findings: impl Iterator<Item = &'a Finding>) -> Summary {
        let mut summary = Summary::default();
        findings.for_each(|finding| summary.count(finding));
        summary
    }

    fn count(&mut self, finding: &Finding) {
        let counter = match (finding.group, finding.status) {
            ("notice", _) => &mut self.notices,
            (_, "exempt") => &mut self.exempt,
            (_, "suppressed") => &mut self.suppressed,
            _ => {
                self.reported += 1;
                match finding.severity {
                    "error" => &mut self.error,
                    "warning" => &mut self.warning,
                    _ => &mut self.info,
                }
            }
        };
        *counter += 1;
    }
}

impl Finding {
    /// Whether `report` shows it to a person: what is exempt or suppressed is counted and not listed.
    pub(crate) fn is_shown(&self, report: &Report) -> bool {
        self.status == "reported" && (report.baseline.is_none() || self.change == Some("new"))
    }

    /// Whether it fails a run: notices, exempt and suppressed ones never do.
    pub(crate) fn fails(&self, fail_on: FailOn) -> bool {
        let severity = match self.severity {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            _ => Severity::Info,
        };
        self.status == "reported" && self.group != "notice" && fail_on.fails(severity)
    }

    /// The finding as the report has it; `text` is that of the file called `file`.
    pub(crate) fn new(finding: &verdict::Finding, file: &str, text: &Str<'_>) -> Finding {
        let span = &finding.span;
        let column = |line: usize, byte: usize| {
            if line < text.line_count() {
                column_of(text.line_str(line), byte, Encoding::Utf32) + 1
            } else {
                1
            }
        };
        Finding {
            file: file.to_owned(),
            line: span.line + 1,
            column: column(span.line, span.column),
            end_line: span.end_line + 1,
            end_column: column(span.end_line, span.end_column),
            offset: span.offset,
            length: span.length,
            rule: finding.rule.name(),
            group: group(finding.group),
            severity: severity(finding.severity),
            status: status(finding.status),
            stance: match finding.stance {
                Stance::Given => "given",
                Stance::Shown => "shown",
                Stance::Forbidden => "forbidden",
            },
            message: finding.message.to_string(),
            fingerprint: format!("{:032x}", finding.fingerprint),
            obfuscated: finding.obfuscated.names().collect(),
            pointer: finding.pointer.as_deref().map(str::to_owned),
            pattern: finding.pattern,
            scope: finding.scope.as_ref().map(|proof| Scope::new(proof, column)),
            suppression: finding.suppression.as_ref().map(Suppression::new),
            change: None,
            data: Data::new(finding),
        }
    }
}

impl Suppression {
    fn new(by: &SuppressedBy) -> Suppression {
        Suppression {
            scope: by.reach.name(),
            line: by.at.line + 1,
            rules: by.rules.iter().map(|rule| rule.name()).collect(),
            expires: by.expires.to_string(),
        }
    }
}

impl Scope {
    fn new(proof: &Proof, column: impl Fn(usize, usize) -> usize) -> Scope {
        let label = proof.label;
        Scope {
            kind: proof.kind.name(),
            holds: proof.holds,
            reason: proof.reason.map(|reason| reason.name()),
            label: Label {
                line: label.line + 1,
                column: column(label.line, label.start),
                end_column: column(label.line, label.end),
            },
            covers: proof.covers.map(|(first, last)| Covers { line: first + 1, end_line: last + 1 }),
            closed_by: proof.closed_by.map(|closer| closer.name()),
        }
    }
}

/// A severity's name in reports.
pub(crate) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

fn status(status: Status) -> &'static str {
    match status {
        Status::Reported => "reported",
        Status::Exempt => "exempt",
        Status::Suppressed => "suppressed",
    }
}

/// A group's name in reports.
pub(crate) fn group(group: Group) -> &'static str {
    GROUPS[group as usize]
}

/// Writes `value` as one line of JSON in which no character can move a cursor or turn text around: a file name may hold
/// any, and reports are looked at in terminals.
pub(crate) fn write_json(value: &impl Serialize, mut out: &mut dyn io::Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut out, Harmless);
    value.serialize(&mut serializer)?;
    out.write_all(b"\n")
}

struct Harmless;

impl serde_json::ser::Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_hostile(*c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_holds_no_character_that_acts() {
        let name = "a\n\u{1b}[2J\u{202e}\u{7f}\u{e0041}\u{feff}é";
        let mut out = Vec::new();
        write_json(&name, &mut out).expect("memory");
        let text = String::from_utf8(out).expect("UTF-8");
        assert!(!text.trim_end().contains(is_hostile), "{}", text.escape_debug());
        assert_eq!(serde_json::from_str::<String>(&text).expect("JSON"), name);
    }

    #[test]
    fn every_group_has_its_name() {
        for (of, name) in [(Group::Danger, "danger"), (Group::Secret, "secret"), (Group::Config, "config")] {
            assert_eq!(group(of), name);
        }
    }
}
