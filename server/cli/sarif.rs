//! The report as SARIF 2.1.0, for hosts that keep findings as alerts.
//!
//! A host closes the alerts that a run no longer has. So a run says when it did not read all that it should have
//! (`executionSuccessful` is false, each file a notification), and a run over a part of a repository is a run of its own
//! (`automationDetails`), which closes nothing that another part opened.

use std::io;

use caveat_analysis::catalogue::{Catalogue, Rule};
use caveat_workspace::walk::Note;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::arguments::Check;
use crate::place::{joined, uri};
use crate::report::{Finding, Loosened, Report, write_json};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What a run was, beside its report.
pub(crate) struct Run<'a> {
    /// The scanned root as the repository calls it.
    pub(crate) root: &'a str,
    /// What is worth knowing of configurations.
    pub(crate) notes: &'a [Note],
    /// Which part of the repository it was: see [`part`].
    pub(crate) part: String,
    /// Whether all that counts was read whole.
    pub(crate) complete: bool,
    /// The status that the process ends with.
    pub(crate) status: u8,
    /// Whether suppressed and exempt findings are in it.
    pub(crate) suppressions: bool,
}

/// The name of the part of a repository that `options` asks for, `hosted` being the scanned root as the repository calls
/// it: `caveat/` for the whole, else a name that the same call has again and no other.
pub(crate) fn part(options: &Check, hosted: &str) -> String {
    let whole = options.paths.len() <= 1 && options.paths.iter().all(|path| path.is_dir());
    if hosted == "." && whole && options.exclude.is_empty() {
        return "caveat/".to_owned();
    }
    let mut hasher = Sha256::new();
    let mut add = |part: &str| {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    let mut paths: Vec<_> = options.paths.iter().map(|path| path.to_string_lossy()).collect();
    paths.sort();
    add(hosted);
    paths.iter().for_each(|path| add(path));
    add("exclude");
    options.exclude.iter().for_each(|glob| add(glob));
    let digest = hasher.finalize();
    let hex: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    format!("caveat/{hex}/")
}

/// Writes `report`, which `run` came to.
pub(crate) fn write(report: &Report, run: &Run<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let rules: Vec<&'static Rule> = Catalogue::get().rules().map(|(_, rule)| rule).collect();
    let results = report.findings.iter().filter(|finding| {
        let told =
            finding.rule == SKIPPED && report.skipped.iter().any(|skipped| skipped.file == finding.file);
        !told && (run.suppressions || finding.status == "reported")
    });
    let state = |finding: &Finding| match (finding.change, finding.data.was) {
        (Some("new"), Some(_)) => Some("updated"),
        (change, _) => change,
    };
    let mut results: Vec<Value> =
        results.map(|finding| result(finding, state(finding), run, &rules)).collect();
    let resolved = report.baseline.iter().flat_map(|baseline| &baseline.resolved);
    results.extend(resolved.map(|finding| result(finding, Some("absent"), run, &rules)));
    let told = [loosened(report, run, &rules), noted(run)].concat();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "caveat",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
            }},
            "automationDetails": {"id": run.part},
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": run.complete,
                "exitCode": run.status,
                "toolExecutionNotifications": notifications(report, run, &rules),
                "toolConfigurationNotifications": told,
            }],
            "results": results,
        }],
    });
    write_json(&log, out)
}

const SKIPPED: &str = "scan-skipped";

/// What SARIF calls a severity.
fn level(severity: &str) -> &'static str {
    match severity {
        "error" => "error",
        "warning" => "warning",
        _ => "note",
    }
}

fn descriptor(rule: &Rule) -> Value {
    let why = rule.why.trim();
    json!({
        "id": rule.id,
        "shortDescription": {"text": format!("This {}.", rule.summary.trim_end_matches('.'))},
        "fullDescription": {"text": why},
        "help": {"text": format!("{why} {}", rule.remedy.trim()), "markdown": rule.page(false)},
        "defaultConfiguration": {"enabled": !rule.off, "level": level(rule.severity.name())},
        "properties": {"tags": ["security", rule.group.name()]},
    })
}

fn rule_index(rules: &[&'static Rule], id: &str) -> Option<usize> {
    rules.iter().position(|rule| rule.id == id)
}

fn artifact(run: &Run<'_>, file: &str) -> Value {
    json!({"uri": uri(&joined(run.root, file))})
}

fn result(finding: &Finding, state: Option<&str>, run: &Run<'_>, rules: &[&'static Rule]) -> Value {
    let region = json!({
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    });
    let mut result = json!({
        "ruleId": finding.rule,
        "ruleIndex": rule_index(rules, finding.rule),
        "level": level(finding.severity),
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact(run, &finding.file), "region": region}}],
        "partialFingerprints": {"caveat/v1": finding.fingerprint},
        "properties": {
            "group": finding.group,
            "status": finding.status,
            "stance": finding.stance,
            "pattern": finding.pattern,
            "pointer": finding.pointer,
            "obfuscated": finding.obfuscated,
            "also": finding.data.also,
        },
    });
    let more = result.as_object_mut().expect("an object was written above");
    if let Some(scope) = &finding.scope {
        let label = &scope.label;
        let region =
            json!({"startLine": label.line, "startColumn": label.column, "endColumn": label.end_column});
        let says = if scope.holds { "what forbids or shows it" } else { "the label that does not cover it" };
        let place = json!({"artifactLocation": artifact(run, &finding.file), "region": region});
        more.insert(
            "relatedLocations".to_owned(),
            json!([{"id": 0, "message": {"text": says}, "physicalLocation": place}]),
        );
    }
    if run.suppressions {
        // Where any result has the property, all have it: a result without is one of which nothing is known.
        more.insert("suppressions".to_owned(), Value::Array(suppression(finding, run).into_iter().collect()));
    }
    if let Some(state) = state {
        more.insert("baselineState".to_owned(), state.into());
    }
    result
}

/// Why a finding is none for a reader: a suppression, or what forbids it. The justification is ours: the reason that was
/// given stays where it stands.
fn suppression(finding: &Finding, run: &Run<'_>) -> Option<Value> {
    if let Some(by) = &finding.suppression {
        if by.scope == "config" {
            let because = format!(
                "Suppressed until {} by line {} of the caveat.toml that holds for the file.",
                by.expires, by.line
            );
            return Some(json!({"kind": "external", "status": "accepted", "justification": because}));
        }
        let because =
            format!("Suppressed until {} by the comment on line {}, which says why.", by.expires, by.line);
        let place =
            json!({"artifactLocation": artifact(run, &finding.file), "region": {"startLine": by.line}});
        return Some(json!({"kind": "inSource", "status": "accepted", "justification": because,
            "location": {"physicalLocation": place}}));
    }
    if finding.status != "exempt" {
        return None;
    }
    let because = match &finding.scope {
        Some(scope) => format!("The text forbids it: see line {}.", scope.label.line),
        None => "The text forbids it.".to_owned(),
    };
    Some(json!({"kind": "inSource", "status": "accepted", "justification": because}))
}

fn notifications(report: &Report, run: &Run<'_>, rules: &[&'static Rule]) -> Vec<Value> {
    let of = |file: &str| report.findings.iter().find(move |one| one.rule == SKIPPED && one.file == file);
    let notification = |file: &str| {
        let message = of(file).map_or("Not scanned.", |finding| finding.message.as_str());
        json!({
            "level": if run.complete { "warning" } else { "error" },
            "message": {"text": message},
            "locations": [{"physicalLocation": {"artifactLocation": artifact(run, file)}}],
            "associatedRule": {"id": SKIPPED, "index": rule_index(rules, SKIPPED)},
        })
    };
    report.skipped.iter().map(|skipped| notification(&skipped.file)).collect()
}

fn noted(run: &Run<'_>) -> Vec<Value> {
    let notification = |note: &Note| {
        let region = json!({"startLine": note.line, "startColumn": note.column});
        let place = json!({"artifactLocation": artifact(run, &note.file), "region": region});
        json!({"level": "note", "message": {"text": note.says}, "locations": [{"physicalLocation": place}]})
    };
    run.notes.iter().map(notification).collect()
}

/// What a change loosens: no finding in the text, but a thing to know about what judges the next run.
fn loosened(report: &Report, run: &Run<'_>, rules: &[&'static Rule]) -> Vec<Value> {
    let notification = |one: &Loosened| {
        let mut place = json!({"artifactLocation": artifact(run, &one.file)});
        if let Some(line) = one.line {
            place["region"] = json!({"startLine": line});
        }
        let mut notification = json!({
            "level": "warning",
            "message": {"text": one.sentence()},
            "locations": [{"physicalLocation": place}],
        });
        if let Some(rule) = one.rule {
            notification["associatedRule"] = json!({"id": rule, "index": rule_index(rules, rule)});
        }
        notification
    };
    report.baseline.iter().flat_map(|baseline| &baseline.loosened).map(notification).collect()
}
