//! From findings to the bytes that say them: LSP diagnostics.
//!
//! They are written straight to JSON from borrowed parts. Through `serde_json::Value`, as tower-lsp does it twice, a
//! thousand of them cost tens of milliseconds; this costs less than two.

use std::hash::{DefaultHasher, Hash, Hasher};

use caveat_analysis::catalogue::{Group, Severity};
use caveat_analysis::text::{Source, column_of};
use caveat_analysis::verdict::{Span, Status};
use caveat_analysis::{Encoding, Finding, Text};
use caveat_workspace::scan::skip_finding;
use caveat_workspace::{SkipReason, Unread};
use serde::Serialize;
use serde_json::value::RawValue;
use tower_lsp::lsp_types::{Position, Range, Url};

/// What decides how findings are said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    /// What columns count.
    pub(crate) encoding: Encoding,
    /// The client shows what a diagnostic refers to.
    pub(crate) related: bool,
    /// Exempt findings are said as hints.
    pub(crate) exempt: bool,
    /// How many are said at most, the one about the rest not counted.
    pub(crate) cap: usize,
}

/// A diagnostic as it is written. LSP 3.17, `Diagnostic`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Diagnostic<'a> {
    range: Range,
    severity: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    source: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_information: Vec<Related<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Data>,
}

#[derive(Serialize)]
struct Related<'a> {
    location: Location<'a>,
    message: &'static str,
}

#[derive(Serialize)]
struct Location<'a> {
    uri: &'a Url,
    range: Range,
}

#[derive(Serialize)]
struct Data {
    rule: &'static str,
    group: &'static str,
    fingerprint: String,
    pattern: Option<&'static str>,
    /// Only records have one.
    pointer: Option<String>,
    obfuscated: Vec<&'static str>,
    offset: usize,
    length: usize,
    also: Vec<&'static str>,
    /// With a notice: its code in the safety scan's own words, as in the report of `caveat check`.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lint_status: Option<&'static str>,
}

const ERROR: u8 = 1;
const WARNING: u8 = 2;
const INFORMATION: u8 = 3;
const HINT: u8 = 4;

/// The diagnostics of a document that was read: `findings` in order of position, less what is not shown.
pub(crate) fn of_findings<'a>(
    findings: &[Finding],
    text: &Text,
    uri: &'a Url,
    manner: &Manner,
) -> Vec<Diagnostic<'a>> {
    let mut shown: Vec<&Finding> = findings
        .iter()
        .filter(|finding| match finding.status {
            Status::Reported => true,
            Status::Exempt => manner.exempt,
            Status::Suppressed => false,
        })
        .collect();
    let over = shown.len().saturating_sub(manner.cap);
    let mut rest = None;
    if over > 0 {
        // Stable: among equals the first in the document stay.
        shown.sort_by_key(|finding| severity(finding));
        rest = shown.get(manner.cap).map(|finding| severity(finding));
        shown.truncate(manner.cap);
        shown.sort_by_key(|finding| finding.span.offset);
    }
    let mut diagnostics: Vec<_> =
        shown.into_iter().map(|finding| of_finding(finding, text, uri, manner)).collect();
    if let Some(severity) = rest {
        let message = format!("{over} more findings in this document are not shown.");
        diagnostics.push(Diagnostic { severity, ..plain(message) });
    }
    diagnostics
}

/// The diagnostics of a document that was not read: what `caveat check` says of such a file.
pub(crate) fn of_skipped<'a>(reason: SkipReason, uri: &'a Url, manner: &Manner) -> Vec<Diagnostic<'a>> {
    let finding = skip_finding(Unread { reason, bytes: None });
    of_findings(&[finding], &Text::default(), uri, manner)
}

/// The parameters of `textDocument/publishDiagnostics` in a whole notification.
pub(crate) fn notification(uri: &Url, version: Option<i32>, diagnostics: &[Diagnostic]) -> Vec<u8> {
    #[derive(Serialize)]
    struct Params<'a> {
        uri: &'a Url,
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<i32>,
        diagnostics: &'a [Diagnostic<'a>],
    }
    #[derive(Serialize)]
    struct Notification<'a> {
        jsonrpc: &'static str,
        method: &'static str,
        params: Params<'a>,
    }
    let params = Params { uri, version, diagnostics };
    bytes(&Notification { jsonrpc: "2.0", method: "textDocument/publishDiagnostics", params })
}

/// Diagnostics as they are sent, and what tells whether they are others than before: a hash over them, so that it covers
/// their absolute ranges, and an edit above that moves a finding makes other ones. The empty set has an id like any other.
#[derive(Debug)]
pub(crate) struct Items {
    id: u64,
    count: usize,
    json: Box<RawValue>,
}

impl Items {
    /// `diagnostics` as they are sent.
    pub(crate) fn new(diagnostics: &[Diagnostic]) -> Items {
        let json = String::from_utf8(bytes(&diagnostics)).unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        json.hash(&mut hasher);
        Items {
            id: hasher.finish(),
            count: diagnostics.len(),
            json: RawValue::from_string(json).unwrap_or_default(),
        }
    }

    /// What tells them from others.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }
}

/// How an id is said to the client.
pub(crate) fn result_id(id: u64) -> String {
    format!("{id:016x}")
}

/// One document's part of the answer to a pull of the whole workspace. LSP 3.17, `WorkspaceDocumentDiagnosticReport`.
pub(crate) enum Part<'a> {
    /// What is found in it.
    Full(&'a Items),
    /// It is as the client knows it under this id.
    Unchanged(u64),
    /// Nothing is shown of it any more.
    Gone,
}

/// `part`, which is about the document `uri` at `version` (a closed one has none).
pub(crate) fn workspace_item(uri: &Url, version: Option<i32>, part: &Part) -> Vec<u8> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Item<'a> {
        kind: &'static str,
        uri: &'a Url,
        version: Option<i32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        result_id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        items: Option<&'a RawValue>,
    }
    let (kind, result_id, items) = match part {
        Part::Full(items) => ("full", Some(result_id(items.id)), Some(&*items.json)),
        Part::Unchanged(id) => ("unchanged", Some(result_id(*id)), None),
        Part::Gone => ("full", None, None),
    };
    let nothing = Items::new(&[]);
    let items = if matches!(part, Part::Gone) { Some(&*nothing.json) } else { items };
    bytes(&Item { kind, uri, version, result_id, items })
}

/// `items` of the closed document `uri`, as a notification that pushes them.
pub(crate) fn notification_of(uri: &Url, items: &Items) -> Vec<u8> {
    #[derive(Serialize)]
    struct Params<'a> {
        uri: &'a Url,
        diagnostics: &'a RawValue,
    }
    #[derive(Serialize)]
    struct Notification<'a> {
        jsonrpc: &'static str,
        method: &'static str,
        params: Params<'a>,
    }
    let params = Params { uri, diagnostics: &items.json };
    bytes(&Notification { jsonrpc: "2.0", method: "textDocument/publishDiagnostics", params })
}

/// The answer to a pull: `items`, or that they are those of `previous`.
pub(crate) fn report(items: &Items, previous: Option<&str>) -> Vec<u8> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Report<'a> {
        kind: &'static str,
        result_id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        items: Option<&'a RawValue>,
    }
    let result_id = result_id(items.id);
    if previous == Some(&result_id) {
        return bytes(&Report { kind: "unchanged", result_id: &result_id, items: None });
    }
    bytes(&Report { kind: "full", result_id: &result_id, items: Some(&items.json) })
}

/// Our own structs always serialise.
fn bytes(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

/// A diagnostic at the document's beginning.
fn plain<'a>(message: String) -> Diagnostic<'a> {
    Diagnostic {
        range: Range::default(),
        severity: WARNING,
        code: None,
        source: "caveat",
        message,
        related_information: Vec::new(),
        data: None,
    }
}

fn of_finding<'a>(finding: &Finding, text: &Text, uri: &'a Url, manner: &Manner) -> Diagnostic<'a> {
    let label = finding.scope.as_ref().filter(|_| manner.related).map(|proof| Related {
        location: Location {
            uri,
            range: Range {
                start: position(text, proof.label.line, proof.label.start, manner.encoding),
                end: position(text, proof.label.line, proof.label.end, manner.encoding),
            },
        },
        message: proof.at_its_place(),
    });
    Diagnostic {
        range: range(text, &finding.span, manner.encoding),
        severity: severity(finding),
        code: Some(finding.rule.name()),
        source: "caveat",
        message: finding.message.to_string(),
        related_information: label.into_iter().collect(),
        data: Some(Data {
            rule: finding.rule.name(),
            group: finding.group.name(),
            fingerprint: format!("{:032x}", finding.fingerprint),
            pattern: finding.pattern,
            obfuscated: finding.obfuscated.names().collect(),
            pointer: finding.pointer.as_deref().map(str::to_owned),
            offset: finding.span.offset,
            length: finding.span.length,
            also: finding.also.iter().map(|rule| rule.name()).collect(),
            code: (finding.group == Group::Notice)
                .then(|| format!("INJECTION_{}", finding.rule.name().replace('-', "_").to_ascii_uppercase())),
            lint_status: (finding.group == Group::Notice).then_some("advisory"),
        }),
    }
}

/// The range of `span`, in units of `encoding`.
pub(crate) fn range(text: &Text, span: &Span, encoding: Encoding) -> Range {
    Range {
        start: position(text, span.line, span.column, encoding),
        end: position(text, span.end_line, span.end_column, encoding),
    }
}

fn position(text: &Text, line: usize, byte: usize, encoding: Encoding) -> Position {
    let line = line.min(text.line_count() - 1);
    Position { line: line as u32, character: column_of(&text.line(line), byte, encoding) as u32 }
}

fn severity(finding: &Finding) -> u8 {
    match (finding.status, finding.severity) {
        (Status::Exempt, _) => HINT,
        (_, Severity::Error) => ERROR,
        (_, Severity::Warning) => WARNING,
        (_, Severity::Info) => INFORMATION,
    }
}
