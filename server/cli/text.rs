//! The report for people: grouped by file, aligned, with the next step at its end, and nothing of what the files say.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use caveat_workspace::name::escaped;

use crate::check::Eased;
use crate::place::joined;
use crate::report::{Finding, Report, Summary};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

fn colour(severity: &str) -> Style {
    match severity {
        "error" => AnsiColor::Red.on_default().bold(),
        "warning" => AnsiColor::Yellow.on_default(),
        _ => AnsiColor::Cyan.on_default(),
    }
}

/// What a report is of.
pub(crate) struct Of<'a> {
    /// The scanned root as seen from the current folder, so that names can be opened from there.
    pub(crate) root: &'a str,
    /// Whether any file has a role, built in or declared.
    pub(crate) addressed: bool,
    /// How many files were not looked at for everything.
    pub(crate) partly: usize,
    /// What configurations take from the rules.
    pub(crate) eased: Eased,
    /// Whether nobody vouches for the files: then what exempts itself is listed.
    pub(crate) untrusted: bool,
}

/// Writes `report`.
pub(crate) fn write(report: &Report, of: &Of<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Of { root, addressed, partly, eased, untrusted } = *of;
    let listed = |finding: &&Finding| finding.is_shown(report) || untrusted && finding.status == "exempt";
    let rows: Vec<_> = report.findings.iter().filter(listed).collect();
    for group in rows.chunk_by(|a, b| a.file == b.file) {
        writeln!(out, "{BOLD}{}{BOLD:#}", shown(&group[0].file, root))?;
        let place = |finding: &Finding| format!("{}:{}", finding.line, finding.column);
        let places = group.iter().map(|finding| place(finding).len()).max().unwrap_or_default();
        let rules = group.iter().map(|finding| finding.rule.len()).max().unwrap_or_default();
        for finding in group {
            let word = if finding.status == "exempt" { "exempt" } else { finding.severity };
            let style = colour(word);
            // The message last: it may be long, and nothing after it could stay in its column.
            writeln!(
                out,
                "  {:<places$}  {style}{:<7}{style:#}  {DIM}{:<rules$}{DIM:#}  {}",
                place(finding),
                word,
                finding.rule,
                finding.message,
            )?;
        }
        writeln!(out)?;
    }
    resolved(report, root, out)?;
    loosened(report, root, out)?;
    let mut line = totals(report);
    if eased.off > 0 {
        line.push_str(&format!("; {} off", counted(eased.off, "rule")));
    }
    if eased.lowered > 0 {
        line.push_str(&format!("; {} lowered", counted(eased.lowered, "rule")));
    }
    writeln!(out, "{BOLD}{line}{BOLD:#}")?;
    if addressed && partly > 0 {
        let many = counted(partly, "file");
        writeln!(
            out,
            "{DIM}{many} of them read for credentials, hidden text and the gravest injections only{DIM:#}"
        )?;
    }
    next(report, root, out)?;
    // What was not looked for must not pass for what was not found.
    if report.files > 0 && !addressed {
        writeln!(
            out,
            "{DIM}no file here is known to instruct anybody, so only the gravest is looked for;{DIM:#}"
        )?;
        writeln!(
            out,
            "{DIM}`--role instructions|runbook|reference` or [roles] in caveat.toml says who reads them{DIM:#}"
        )?;
    }
    Ok(())
}

/// A file's name from the current folder, harmless.
pub(crate) fn shown(file: &str, root: &str) -> String {
    escaped(&joined(root, file)).into_owned()
}

/// What a change resolves.
fn resolved(report: &Report, root: &str, out: &mut dyn Write) -> io::Result<()> {
    let Some(baseline) = report.baseline.as_ref().filter(|baseline| !baseline.resolved.is_empty()) else {
        return Ok(());
    };
    writeln!(out, "{BOLD}resolved{BOLD:#}")?;
    for one in &baseline.resolved {
        writeln!(out, "  {}:{}  {DIM}{}{DIM:#}", shown(&one.file, root), one.line, one.rule)?;
    }
    writeln!(out)
}

/// What a change loosens.
fn loosened(report: &Report, root: &str, out: &mut dyn Write) -> io::Result<()> {
    let Some(baseline) = report.baseline.as_ref().filter(|baseline| !baseline.loosened.is_empty()) else {
        return Ok(());
    };
    writeln!(out, "{BOLD}loosened, and not yet in force{BOLD:#}")?;
    for one in &baseline.loosened {
        let line = one.line.map(|line| format!(":{line}")).unwrap_or_default();
        let rule = one.rule.map(|rule| format!(" ({rule})")).unwrap_or_default();
        writeln!(out, "  {}{line}  {}{rule}", shown(&one.file, root), one.says)?;
    }
    writeln!(out)
}

/// How many of what there are, in one line.
pub(crate) fn totals(report: &Report) -> String {
    let mut counts = report.summary.clone();
    if report.baseline.is_some() {
        let shown = report.findings.iter().filter(|finding| finding.is_shown(report));
        let Summary { exempt, suppressed, .. } = counts;
        counts = Summary { exempt, suppressed, ..Summary::of(shown) };
    }
    let mut parts = Vec::new();
    for (count, one) in [(counts.error, "error"), (counts.warning, "warning"), (counts.notices, "notice")] {
        if count > 0 {
            parts.push(counted(count, one));
        }
    }
    if counts.info > 0 {
        parts.push(format!("{} info", counts.info));
    }
    if parts.is_empty() {
        parts.push(if report.baseline.is_some() { "nothing new" } else { "nothing found" }.to_owned());
    } else if report.baseline.is_some() {
        parts[0].insert_str(0, "new: ");
    }
    let mut line = format!("{} in {}", parts.join(", "), counted(report.files, "file"));
    if let Some(baseline) = &report.baseline {
        line.push_str(&format!("; {} unchanged, {} resolved", baseline.unchanged, baseline.resolved.len()));
    }
    for (count, what) in [(counts.exempt, "exempt"), (counts.suppressed, "suppressed")] {
        if count > 0 {
            line.push_str(&format!("; {count} {what}"));
        }
    }
    if !report.skipped.is_empty() {
        line.push_str(&format!("; {} not read", report.skipped.len()));
    }
    line
}

/// What to do now.
fn next(report: &Report, root: &str, out: &mut dyn Write) -> io::Result<()> {
    let first = |status: &str, is: fn(&Finding) -> bool| {
        report
            .findings
            .iter()
            .filter(|finding| status != "reported" || finding.is_shown(report))
            .find(|finding| finding.status == status && finding.group != "notice" && is(finding))
    };
    let reported = |finding: &&Finding| finding.is_shown(report) && finding.group != "notice";
    let rank = |finding: &&Finding| match finding.severity {
        "error" => 0,
        "warning" => 1,
        _ => 2,
    };
    if let Some(finding) = report.findings.iter().filter(reported).min_by_key(rank) {
        writeln!(out, "{DIM}`caveat explain {}` says why, and what to write instead{DIM:#}", finding.rule)?;
    }
    let near_miss = |finding: &Finding| finding.scope.as_ref().is_some_and(|scope| !scope.holds);
    let nearly = first("reported", near_miss);
    let sentence =
        nearly.and_then(|finding| finding.scope.as_ref()).is_some_and(|scope| scope.kind == "sentence");
    let why = match sentence {
        true => "says why a sentence does not forbid its command, and what would",
        false => "says why a label does not hold, and what would mend it",
    };
    for (finding, says) in [(nearly, why), (first("exempt", |_| true), "proves why a command is exempt")] {
        // What came on standard input without a name cannot be asked for again.
        if let Some(finding) = finding.filter(|finding| finding.file != "-") {
            let file = shown(&finding.file, root);
            writeln!(out, "{DIM}`caveat explain {file}:{}` {says}{DIM:#}", finding.line)?;
        }
    }
    if report.files == 0 && report.skipped.is_empty() {
        writeln!(out, "{DIM}no file here is read by itself: name one, or declare it in caveat.toml{DIM:#}")?;
    }
    Ok(())
}

/// `1 file`, `2 files`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
