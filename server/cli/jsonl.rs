//! The report as JSON Lines: one line a finding, one a skipped file, and a summary last, so that a reader who finds no
//! summary knows that the rest is missing.

use std::io;

use serde::Serialize;

use crate::report::{Finding, Report, SkippedFile, Summary, write_json};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Finding(&'a Finding),
    Skipped(&'a SkippedFile),
    Summary(Totals<'a>),
}

#[derive(Serialize)]
struct Totals<'a> {
    version: u32,
    files: usize,
    skipped: usize,
    #[serde(flatten)]
    summary: &'a Summary,
}

/// Writes `report`.
pub(crate) fn write(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    for finding in &report.findings {
        write_json(&Line::Finding(finding), out)?;
    }
    for skipped in &report.skipped {
        write_json(&Line::Skipped(skipped), out)?;
    }
    let Report { version, files, summary, skipped, .. } = report;
    let totals = Totals { version: *version, files: *files, skipped: skipped.len(), summary };
    write_json(&Line::Summary(totals), out)
}
