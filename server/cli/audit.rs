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
    for group in audit.entries.chunk_by(|a, b| a.file == b.file) {
        writeln!(out, "{BOLD}{}{BOLD:#}", shown(&group[0].file, root))?;
        let lines: Vec<String> = group.iter().map(place).collect();
        let wide = |of: &dyn Fn(&Entry) -> usize| group.iter().map(of).max().unwrap_or_default();
        let places = lines.iter().map(String::len).max().unwrap_or_default();
        let (kinds, states) = (wide(&|one| kind(one.kind).len()), wide(&|one| state(one.state).len()));
        let named = wide(&|one| rules(one).len());
        for (entry, line) in group.iter().zip(&lines) {
            let (kind, state, rules) = (kind(entry.kind), state(entry.state), rules(entry));
            writeln!(
                out,
                "  {line:<places$}  {kind:<kinds$}  {state:<states$}  {rules:<named$}{DIM}{}{DIM:#}",
                more(entry)
            )?;
        }
        writeln!(out)?;
    }
    let count = |kind: Kind| audit.entries.iter().filter(|entry| entry.kind == kind).count();
    let broken = |state: State| audit.entries.iter().filter(|entry| entry.state == state).count();
    let mut line = format!(
        "{}, {} off, {}, {} shown in {}",
        counted(count(Kind::Suppression), "suppression"),
        counted(count(Kind::Off), "rule"),
        counted(count(Kind::Exempt), "exempt scope"),
        count(Kind::Shown),
        counted(audit.files, "file"),
    );
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
    writeln!(out, "{BOLD}{line}{BOLD:#}")?;
    if let Some(one) = audit.entries.first() {
        let file = shown(&one.file, root);
        writeln!(out, "{DIM}`caveat explain {file}:{}` says what holds there{DIM:#}", one.line)?;
    }
    Ok(())
}

fn rules(entry: &Entry) -> String {
    if entry.rules.is_empty() { "-".to_owned() } else { entry.rules.join(", ") }
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

/// What else is known, behind the rules: how much it answers for, until when, since when, why.
fn more(entry: &Entry) -> String {
    let mut parts = vec![entry.scope.to_owned(), counted(entry.findings, "finding")];
    if entry.kind == Kind::Off {
        parts.pop();
    }
    parts.extend(entry.problem.map(str::to_owned));
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
    let mut line = format!("  ({})", parts.join("; "));
    match &entry.reason {
        Some(reason) => line.push_str(&format!("  \"{}\"", escaped(reason))),
        None if entry.withheld => line.push_str("  reason withheld: a rule fires on it"),
        None => {}
    }
    line
}
