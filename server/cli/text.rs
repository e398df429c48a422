//! The report for people: grouped by file, aligned, with the next step at its end, and nothing of what the files say.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use caveat_workspace::name::escaped;

use crate::report::{Finding, Report};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

fn colour(severity: &str) -> Style {
    match severity {
        "error" => AnsiColor::Red.on_default().bold(),
        "warning" => AnsiColor::Yellow.on_default(),
        _ => AnsiColor::Cyan.on_default(),
    }
}

/// Writes `report`. `notes` are the lines beneath each finding; `root` is the scanned root as seen from the current
/// folder, so that names can be opened from there.
pub(crate) fn write(
    report: &Report,
    notes: &[Vec<String>],
    root: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows = || report.findings.iter().zip(notes).filter(|(finding, _)| finding.status == "reported");
    let rows: Vec<_> = rows().collect();
    for group in rows.chunk_by(|(a, _), (b, _)| a.file == b.file) {
        writeln!(out, "{BOLD}{}{BOLD:#}", shown(&group[0].0.file, root))?;
        let place = |finding: &Finding| format!("{}:{}", finding.line, finding.column);
        let width = group.iter().map(|(finding, _)| place(finding).len()).max().unwrap_or_default();
        let words =
            group.iter().map(|(finding, _)| finding.message.chars().count()).max().unwrap_or_default();
        for (finding, notes) in group {
            let style = colour(finding.severity);
            writeln!(
                out,
                "  {:<width$}  {style}{:<7}{style:#}  {:<words$}  {DIM}{}{DIM:#}",
                place(finding),
                finding.severity,
                finding.message,
                finding.rule,
                words = words.min(72),
            )?;
            for note in *notes {
                writeln!(out, "  {:<width$}  {DIM}{:<7}  {note}{DIM:#}", "", "")?;
            }
        }
        writeln!(out)?;
    }
    summary(report, root, out)
}

/// A file's name from the current folder, harmless.
fn shown(file: &str, root: &str) -> String {
    let whole = if root.is_empty() || std::path::Path::new(file).is_absolute() {
        file.to_owned()
    } else {
        format!("{}/{file}", root.trim_end_matches('/'))
    };
    escaped(&whole).into_owned()
}

fn summary(report: &Report, root: &str, out: &mut dyn Write) -> io::Result<()> {
    let counts = &report.summary;
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
        parts.push("nothing found".to_owned());
    }
    let mut line = format!("{} in {}", parts.join(", "), counted(report.files, "file"));
    for (count, what) in [(counts.exempt, "exempt"), (counts.suppressed, "suppressed")] {
        if count > 0 {
            line.push_str(&format!("; {count} {what}"));
        }
    }
    if !report.skipped.is_empty() {
        line.push_str(&format!("; {} not read", report.skipped.len()));
    }
    writeln!(out, "{BOLD}{line}{BOLD:#}")?;
    next(report, root, out)
}

/// What to do now.
fn next(report: &Report, root: &str, out: &mut dyn Write) -> io::Result<()> {
    let of = |status: &str| {
        report.findings.iter().find(|finding| finding.status == status && finding.group != "notice")
    };
    if let Some(finding) = of("reported") {
        writeln!(out, "{DIM}`caveat explain {}` says why, and what to write instead{DIM:#}", finding.rule)?;
    }
    if let Some(finding) = of("exempt") {
        let file = shown(&finding.file, root);
        writeln!(out, "{DIM}`caveat explain {file}:{}` proves why it is exempt{DIM:#}", finding.line)?;
    }
    if report.files == 0 && report.skipped.is_empty() {
        writeln!(out, "{DIM}no file here is read by itself: name one, or declare it in caveat.toml{DIM:#}")?;
    }
    Ok(())
}

fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
