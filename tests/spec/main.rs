//! The specification, run: every document in `fixtures/spec/*.md` is checked, and what is found is compared with the
//! list that stands below it. `fixtures/spec/README.md` says how a page is written.
//!
//! A page is read here by a few lines of code of its own, so that a fault in the analysis cannot also hide the pair
//! that would show it. Each document is checked four ways that must agree: read once, typed from empty, mended line by
//! line, and by the binary, from standard input to JSON.

mod page;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use caveat_analysis::catalogue::Severity;
use caveat_analysis::document::{Rules, check};
use caveat_analysis::lines::Lang;
use caveat_analysis::scope::Proof;
use caveat_analysis::text::{Encoding, Source, Str, Text, column_of};
use caveat_analysis::verdict::{Env, Finding, Role, Status};
use caveat_analysis::{Document, Edit, Language};

use page::Pair;
use serde_json::Value;

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/spec");
    let entries = std::fs::read_dir(&folder).expect("the folder of the specification can be read");
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// Every pair of every page, with the page's name.
fn pairs() -> Vec<(String, Pair)> {
    let mut pairs = Vec::new();
    for path in pages() {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a page is UTF-8");
        match page::read(&text) {
            Ok(found) => pairs.extend(found.into_iter().map(|pair| (name.clone(), pair))),
            Err((line, what)) => panic!("fixtures/spec/{name}:{line}: {what}"),
        }
    }
    pairs
}

/// Calls `findings` for each pair and compares what it gives with the pair's list; panics with all that differ.
fn compare(how: &str, findings: impl Fn(&Pair) -> Vec<Finding>) {
    compare_lines(how, pairs(), |pair| {
        findings(pair).iter().map(|finding| line(finding, &pair.text)).collect()
    });
}

fn compare_lines(how: &str, pairs: Vec<(String, Pair)>, lines: impl Fn(&Pair) -> Vec<String>) {
    assert!(!pairs.is_empty(), "the specification has no pair");
    let mut report = String::new();
    let mut differing = 0;
    for (page, pair) in &pairs {
        let mut found = lines(pair);
        if found.is_empty() {
            found.push("none".to_owned());
        }
        if found != pair.findings {
            differing += 1;
            let _ = writeln!(report, "fixtures/spec/{page}:{}", pair.line);
            for wanted in pair.findings.iter().filter(|wanted| !found.contains(wanted)) {
                let _ = writeln!(report, "  wanted  {wanted}");
            }
            for extra in found.iter().filter(|extra| !pair.findings.contains(extra)) {
                let _ = writeln!(report, "  found   {extra}");
            }
        }
    }
    assert!(
        differing == 0,
        "{differing} of {} pairs differ when the document is {how}:\n{report}",
        pairs.len()
    );
}

/// A finding as a page writes it.
fn line(finding: &Finding, text: &str) -> String {
    let source = Str::new(text);
    let place = |line: usize, byte: usize| {
        format!("{}:{}", line + 1, column_of(&source.line(line), byte, Encoding::Utf32) + 1)
    };
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let span = finding.span;
    let mut out = format!(
        "{severity} {} {}-{} ",
        finding.rule.name(),
        place(span.line, span.column),
        place(span.end_line, span.end_column)
    );
    out.push_str(match finding.status {
        Status::Reported => "reported",
        Status::Exempt => "exempt",
        Status::Suppressed => "suppressed",
    });
    let hidden: Vec<&str> = finding.obfuscated.names().collect();
    if !hidden.is_empty() {
        let _ = write!(out, ", hidden by {}", hidden.join(" and "));
    }
    if let Some(by) = &finding.suppression {
        let _ = write!(out, " by {}, line {}, until {}", by.reach.name(), by.at.line + 1, by.expires);
    }
    if let Some(scope) = &finding.scope {
        out.push_str(if scope.holds { " by" } else { " despite" });
        out.push_str(&proof(scope));
    }
    if let Some(pointer) = &finding.pointer {
        let _ = write!(out, " at {pointer}");
    }
    out
}

/// A proof as a page writes it: kind, label, and either what closes it or why it does not hold.
fn proof(proof: &Proof) -> String {
    let mut out = format!(" {}, label {}", proof.kind.name(), proof.label.line + 1);
    if proof.holds {
        let (first, last) = proof.covers.expect("a scope that holds covers lines");
        let _ = write!(out, ", lines {}-{}", first + 1, last + 1);
        if let Some(closer) = proof.closed_by {
            let _ = write!(out, ", {}", closer.name());
        }
    } else {
        let reason = proof.reason.expect("a scope that does not hold says why");
        let _ = write!(out, ": {}", reason.name());
    }
    out
}

fn rules(pair: &Pair) -> Rules {
    Rules { labels: pair.labels.clone(), notices: pair.role.notices(false), ..Rules::default() }
}

fn env(pair: &Pair) -> Env {
    Env {
        role: pair.role,
        stance: true,
        suppressions: true,
        today: pair.today,
        policy: Arc::default(),
        accepted: Arc::default(),
    }
}

/// Where the byte `offset` of `text` is, as an editor names it.
fn position(text: &str, offset: usize) -> caveat_analysis::Position {
    Text::new(text).position_of(offset, Encoding::Utf16)
}

fn insert(document: &mut Document, before: &str, offset: usize, text: &str) {
    let at = position(before, offset);
    document.apply(&Edit { range: Some((at, at)), text: text.to_owned() }, Encoding::Utf16);
}

#[test]
fn read_once() {
    compare("read once", |pair| check(&pair.text, pair.language, &rules(pair), &env(pair)));
}

#[test]
fn typed_from_empty() {
    compare("typed from empty, character by character", |pair| {
        let mut document = Document::new("", pair.language, Arc::new(rules(pair)));
        for (offset, character) in pair.text.char_indices() {
            insert(&mut document, &pair.text[..offset], offset, character.encode_utf8(&mut [0; 4]));
            document.settle();
        }
        assert_eq!(document.text().to_string(), pair.text, "fixtures/spec line {}", pair.line);
        document.snapshot().findings(&env(pair))
    });
}

#[test]
fn mended_line_by_line() {
    compare("torn out and mended, line by line", |pair| {
        let mut document = Document::new(&pair.text, pair.language, Arc::new(rules(pair)));
        document.settle();
        let source = Str::new(&pair.text);
        for line in 0..source.line_count() {
            let start = source.line_start(line);
            let end =
                if line + 1 < source.line_count() { source.line_start(line + 1) } else { pair.text.len() };
            let range = (position(&pair.text, start), position(&pair.text, end));
            document.apply(&Edit { range: Some(range), text: String::new() }, Encoding::Utf16);
            document.settle();
            let torn = format!("{}{}", &pair.text[..start], &pair.text[end..]);
            insert(&mut document, &torn, start, &pair.text[start..end]);
            document.settle();
        }
        assert_eq!(document.text().to_string(), pair.text, "fixtures/spec line {}", pair.line);
        document.snapshot().findings(&env(pair))
    });
}

/// What `caveat check` prints for a document on its standard input, as a page writes it.
fn printed(pair: &Pair) -> Vec<String> {
    let ending = match pair.language {
        Language::Markdown => "md",
        Language::Json => "json",
        Language::JsonLines => "jsonl",
        Language::Yaml => "yaml",
        Language::Toml => "toml",
        Language::Markup => "html",
        Language::Text => "csv",
        Language::Script(Lang::Python) => "py",
        Language::Script(Lang::JavaScript) => "js",
        Language::Script(Lang::Makefile) => "mk",
        Language::Script(Lang::Dockerfile) => "dockerfile",
        Language::Script(Lang::PowerShell) => "ps1",
        Language::Script(_) => "sh",
    };
    let name = &format!("notes.{ending}");
    let role = match pair.role {
        Role::Instructions => "instructions",
        Role::Runbook => "runbook",
        Role::Reference { declared: true } => "reference",
        Role::Reference { declared: false } => "auto",
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_caveat"))
        .args(["check", "-", "--stdin-path", name, "--role", role, "--format", "json"])
        .args(["--today", &pair.today.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(pair.text.as_bytes()).expect("the binary reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
    assert_eq!(report["version"], 1);
    report["findings"].as_array().expect("a list of findings").iter().map(line_of_json).collect()
}

/// A finding of the JSON report as a page writes it.
fn line_of_json(finding: &Value) -> String {
    let word = |value: &Value| value.as_str().expect("a string").to_owned();
    let mut out = format!(
        "{} {} {}:{}-{}:{} {}",
        word(&finding["severity"]),
        word(&finding["rule"]),
        finding["line"],
        finding["column"],
        finding["endLine"],
        finding["endColumn"],
        word(&finding["status"])
    );
    let hidden: Vec<String> = finding["obfuscated"].as_array().expect("a list").iter().map(word).collect();
    if !hidden.is_empty() {
        let _ = write!(out, ", hidden by {}", hidden.join(" and "));
    }
    let by = &finding["suppression"];
    if !by.is_null() {
        let _ =
            write!(out, " by {}, line {}, until {}", word(&by["scope"]), by["line"], word(&by["expires"]));
    }
    out.push_str(&proof_of_json(&finding["scope"]));
    if let Some(pointer) = finding["pointer"].as_str() {
        let _ = write!(out, " at {pointer}");
    }
    out
}

/// A scope of the JSON report as a page writes it.
fn proof_of_json(scope: &Value) -> String {
    let word = |value: &Value| value.as_str().expect("a string").to_owned();
    let mut out = String::new();
    if scope.is_null() {
        return out;
    }
    let holds = scope["holds"].as_bool().expect("true or false");
    out.push_str(if holds { " by" } else { " despite" });
    let _ = write!(out, " {}, label {}", word(&scope["kind"]), scope["label"]["line"]);
    if holds {
        let covers = &scope["covers"];
        let _ = write!(out, ", lines {}-{}", covers["line"], covers["endLine"]);
        if let Some(closer) = scope["closedBy"].as_str() {
            let _ = write!(out, ", {closer}");
        }
    } else {
        let _ = write!(out, ": {}", word(&scope["reason"]));
    }
    out
}

#[test]
fn by_the_binary() {
    // The project's own labels come from a file, which standard input has not.
    let pairs = pairs().into_iter().filter(|(_, pair)| pair.labels.is_empty()).collect();
    compare_lines("checked by the binary", pairs, printed);
}

/// A runner that finds nothing to run would pass for ever; so would a page whose examples are all skipped.
#[test]
fn every_page_has_pairs() {
    assert!(!pages().is_empty(), "no page in fixtures/spec");
    let pairs = pairs();
    for path in pages() {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        assert!(pairs.iter().any(|(page, _)| *page == name), "fixtures/spec/{name} has no pair");
    }
}
