//! The report as annotations: workflow commands of GitHub Actions, one a reported finding, one whatever a change loosens
//! and one a note on a configuration, then one plain line.
//!
//! The runner obeys every line that begins with `::`. Here each such line is ours, and nothing that a file's name holds
//! can end it or add to its properties.

use std::io::{self, Write};

use caveat_workspace::name::escaped;
use caveat_workspace::walk::Note;

use crate::place::joined;
use crate::report::{Finding, Report};
use crate::text;

/// Writes `report`; names count from `root`, the scanned root as the repository calls it. Errors come first: a host shows
/// only so many of each step.
pub(crate) fn write(report: &Report, notes: &[Note], root: &str, out: &mut dyn Write) -> io::Result<()> {
    let shown: Vec<&Finding> = report.findings.iter().filter(|finding| finding.is_shown(report)).collect();
    for (severity, command) in [("error", "error"), ("warning", "warning"), ("info", "notice")] {
        for finding in shown.iter().filter(|finding| finding.severity == severity) {
            writeln!(
                out,
                "::{command} file={},line={},endLine={},col={},endColumn={},title={}::{}",
                property(&escaped(&joined(root, &finding.file))),
                finding.line,
                finding.end_line,
                finding.column,
                finding.end_column,
                property(&format!("caveat {}", finding.rule)),
                data(&finding.message),
            )?;
        }
    }
    for one in report.baseline.iter().flat_map(|baseline| &baseline.loosened) {
        let line = one.line.map(|line| format!(",line={line}")).unwrap_or_default();
        writeln!(
            out,
            "::warning file={}{line},title={}::{}",
            property(&escaped(&joined(root, &one.file))),
            property("caveat loosened"),
            data(&one.sentence()),
        )?;
    }
    for note in notes {
        writeln!(
            out,
            "::notice file={},line={},col={},title={}::{}",
            property(&escaped(&joined(root, &note.file))),
            note.line,
            note.column,
            property("caveat configuration"),
            data(&note.says),
        )?;
    }
    writeln!(out, "caveat: {}", text::totals(report))
}

/// The message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a command's property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_runner_reads_is_escaped() {
        assert_eq!(data("50%\r\n::x, y"), "50%25%0D%0A::x, y");
        assert_eq!(property("a:b,c%0A"), "a%3Ab%2Cc%250A");
    }
}
