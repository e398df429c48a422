//! `caveat audit`: the trail of exceptions, for people and for programs.

use std::io::{self, Write};
use std::process::ExitCode;

use anstyle::Style;
use caveat_workspace::audit::{self, Entry, Kind, State};
use caveat_workspace::name::{escaped, relative};
use caveat_workspace::scan;
use caveat_workspace::walk::{self, PlanError};

use crate::arguments::{Audit, Format};
use crate::check::{incomplete, scan_request};
use crate::output::{self, Failure};
use crate::report::write_json;
use crate::text::{counted, shown};
use crate::today;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Lists every exception. The status is 0, or 3 where something that counts was not read and may hold more.
#[must_use]
pub fn audit(options: &Audit) -> ExitCode {
    match run(options) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => failure.told(),
    }
}

fn run(options: &Audit) -> Result<u8, Failure> {
    let today = options.today.unwrap_or_else(today);
    let current = std::env::current_dir().map_err(|_| Failure::from(PlanError::NoCurrentFolder))?;
    let plan = walk::plan(scan_request(&options.what, current.clone())?)?;
    let audit = scan::with_jobs(options.what.jobs, || audit::run(&plan, today));
    let root = relative(&plan.root, &current.canonicalize().unwrap_or(current));
    let to = options.output.as_deref();
    match options.format {
        Format::Json => output::write_plain(to, |out| write_json(&audit, out)),
        Format::Text => output::write(to, options.color, |out| text(&audit, &root, out)),
    }?;
    Ok(if incomplete(&plan, &audit) { 3 } else { 0 })
}

fn text(audit: &audit::Audit, root: &str, out: &mut dyn Write) -> io::Result<()> {
    // First what is decided for whole files and rules: it hides what the rest could say.
    let (decided, own): (Vec<&Entry>, Vec<&Entry>) =
        audit.entries.iter().partition(|entry| entry.kind.is_decided());
    for part in [&decided, &own] {
        for group in part.chunk_by(|a, b| a.file == b.file) {
            lines(group, root, out)?;
        }
    }
    writeln!(out, "{BOLD}{}{BOLD:#}", totals(audit))?;
    if let Some(one) = own.iter().find(|entry| entry.scope != "config") {
        let file = shown(&one.file, root);
        writeln!(out, "{DIM}`caveat explain {file}:{}` says what holds there{DIM:#}", one.line)?;
    }
    Ok(())
}

/// The entries of one file.
fn lines(group: &[&Entry], root: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{BOLD}{}{BOLD:#}", shown(&group[0].file, root))?;
    let places: Vec<String> = group.iter().map(|entry| place(entry)).collect();
    let wide = |of: &dyn Fn(&Entry) -> usize| group.iter().map(|entry| of(entry)).max().unwrap_or_default();
    let wide_places = places.iter().map(String::len).max().unwrap_or_default();
    let (kinds, states) = (wide(&|one| kind(one.kind).len()), wide(&|one| state(one.state).len()));
    let named = wide(&|one| rules(one).len());
    for (entry, line) in group.iter().zip(&places) {
        let (kind, state, rules) = (kind(entry.kind), state(entry.state), rules(entry));
        writeln!(
            out,
            "  {line:<wide_places$}  {kind:<kinds$}  {state:<states$}  {rules:<named$}{DIM}{}{DIM:#}",
            more(entry, root)
        )?;
    }
    writeln!(out)
}

/// How many of what there are, in one line.
fn totals(audit: &audit::Audit) -> String {
    let of = |kind: Kind| audit.entries.iter().filter(move |entry| entry.kind == kind);
    let count = |kind: Kind| of(kind).count();
    let files = |kind: Kind| of(kind).map(|entry| entry.files.len() + entry.others).sum::<usize>();
    let broken = |state: State| audit.entries.iter().filter(|entry| entry.state == state).count();
    let mut parts = Vec::new();
    for (many, what) in [
        (files(Kind::Excluded), "excluded"),
        (count(Kind::Ignored), "ignored"),
        (files(Kind::Role), "in another role"),
    ] {
        if many > 0 {
            parts.push(format!("{} {what}", counted(many, "file")));
        }
    }
    parts.push(counted(count(Kind::Suppression), "suppression"));
    parts.push(format!("{} off", counted(count(Kind::Off), "rule")));
    if count(Kind::Lowered) > 0 {
        parts.push(format!("{} lowered", count(Kind::Lowered)));
    }
    parts.push(counted(count(Kind::Exempt), "exempt scope"));
    let mut line =
        format!("{}, {} shown in {}", parts.join(", "), count(Kind::Shown), counted(audit.files, "file"),);
    for (state, what) in [
        (State::Expired, "expired"),
        (State::Unused, "unused"),
        (State::Invalid, "invalid"),
        (State::Ignored, "ignored"),
    ] {
        if broken(state) > 0 {
            line.push_str(&format!("; {} {what}", broken(state)));
        }
    }
    if !audit.skipped.is_empty() {
        line.push_str(&format!("; {} not read", audit.skipped.len()));
    }
    line
}

fn rules(entry: &Entry) -> String {
    match entry.rules.is_empty() {
        true if entry.kind.is_decided() => String::new(),
        true => "-".to_owned(),
        false => entry.rules.join(", "),
    }
}

fn place(entry: &Entry) -> String {
    match entry.end_line.filter(|end| *end > entry.line) {
        Some(end) => format!("{}-{end}", entry.line),
        None => entry.line.to_string(),
    }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Suppression => "suppression",
        Kind::Off => "off",
        Kind::Exempt => "exempt",
        Kind::Shown => "shown",
        Kind::Excluded => "excluded",
        Kind::Role => "another role",
        Kind::Lowered => "lowered",
        Kind::Limit => "limit",
        Kind::Ignored => "ignored",
    }
}

fn state(state: State) -> &'static str {
    match state {
        State::Active => "active",
        State::Expired => "expired",
        State::Unused => "unused",
        State::Invalid => "invalid",
        State::Ignored => "ignored",
    }
}

/// How far an exception reaches, or what exempts or shows, in words.
fn reach(scope: &'static str) -> &'static str {
    match scope {
        "block" => "the next block",
        "file" => "the whole file",
        "config" => "by the configuration",
        "labelled-fence" => "by a label above a fence",
        "labelled-list" => "by a label above a list",
        "label" => "by a label",
        "sentence" => "by a sentence",
        "replacement-table" => "by a table below a sentence that forbids",
        "heading" => "by a heading",
        "lead-in" => "by the line above it",
        "comment" => "by a comment in the fence",
        "column" => "by the table's column",
        "row" => "by the table's row",
        "mark" => "by a mark",
        "description" => "by a sentence that describes",
        "deny-list" => "by a deny list",
        scope => scope,
    }
}

/// The names that are listed of one entry; there may be thousands.
const NAMES: usize = 8;

/// Which files an entry keeps away.
fn kept(entry: &Entry, root: &str) -> String {
    let mut names: Vec<String> = entry.files.iter().take(NAMES).map(|file| shown(file, root)).collect();
    let rest = entry.files.len() - names.len() + entry.others;
    match (names.is_empty(), rest) {
        (true, 0) => return "no file".to_owned(),
        (true, _) => names.push(counted(rest, "file")),
        (false, 0) => {}
        (false, _) => names.push(format!("and {rest} more")),
    }
    names.join(", ")
}

/// What else is known, behind the rules: how much it answers for, until when, since when, why.
fn more(entry: &Entry, root: &str) -> String {
    let mut parts = match entry.kind {
        Kind::Suppression | Kind::Exempt | Kind::Shown => {
            vec![reach(entry.scope).to_owned(), counted(entry.findings, "finding")]
        }
        Kind::Off => Vec::new(),
        Kind::Lowered => {
            vec![format!("{}, not {}", entry.severity.unwrap_or("off"), entry.was.unwrap_or("on"))]
        }
        Kind::Excluded => vec![format!("not read: {}", kept(entry, root))],
        Kind::Limit => vec![format!("too large: {}", kept(entry, root))],
        Kind::Role => vec![format!("read as less than its name says: {}", kept(entry, root))],
        Kind::Ignored => vec!["not read, though git tracks it: an ignore file names it".to_owned()],
    };
    parts.extend(entry.says.map(str::to_owned));
    if let (Some(day), Some(left)) = (&entry.expires, entry.days_left) {
        parts.push(match left {
            0 => format!("to {day}, today"),
            1.. => format!("to {day}, {} left", counted(usize::try_from(left).unwrap_or(usize::MAX), "day")),
            _ => format!("to {day}"),
        });
    }
    if let Some(commit) = &entry.commit {
        let day = entry.date.as_ref().map(|day| format!(" on {day}")).unwrap_or_default();
        parts.push(format!("since {}{day}", &commit[..12.min(commit.len())]));
    }
    let mut line = if parts.is_empty() { String::new() } else { format!("  ({})", parts.join("; ")) };
    match &entry.reason {
        Some(reason) => line.push_str(&format!("  \"{}\"", escaped(reason))),
        None if entry.withheld => line.push_str("  reason withheld: a rule fires on it"),
        None => {}
    }
    line
}
