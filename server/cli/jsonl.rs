//! The report as JSON Lines: one line a finding, one a skipped file, and a summary last, so that a reader who finds no
//! summary knows that the rest is missing.

use std::io;

use serde::Serialize;

use crate::report::{Finding, Loosened, Report, SkippedFile, Summary, write_json};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Finding(&'a Finding),
    Skipped(&'a SkippedFile),
    Resolved(&'a Finding),
    Loosened(&'a Loosened),
    Summary(Totals<'a>),
}

#[derive(Serialize)]
struct Totals<'a> {
    version: u32,
    files: usize,
    skipped: usize,
    #[serde(flatten)]
    summary: &'a Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<Compared<'a>>,
}

#[derive(Serialize)]
struct Compared<'a> {
    commit: &'a str,
    new: usize,
    unchanged: usize,
    resolved: usize,
    loosened: usize,
}

/// Writes `report`.
pub(crate) fn write(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    for finding in &report.findings {
        write_json(&Line::Finding(finding), out)?;
    }
    for skipped in &report.skipped {
        write_json(&Line::Skipped(skipped), out)?;
    }
    for resolved in report.baseline.iter().flat_map(|baseline| &baseline.resolved) {
        write_json(&Line::Resolved(resolved), out)?;
    }
    for loosened in report.baseline.iter().flat_map(|baseline| &baseline.loosened) {
        write_json(&Line::Loosened(loosened), out)?;
    }
    let baseline = report.baseline.as_ref().map(|baseline| Compared {
        commit: &baseline.commit,
        new: baseline.new,
        unchanged: baseline.unchanged,
        resolved: baseline.resolved.len(),
        loosened: baseline.loosened.len(),
    });
    let Report { version, files, summary, skipped, .. } = report;
    let totals = Totals { version: *version, files: *files, skipped: skipped.len(), summary, baseline };
    write_json(&Line::Summary(totals), out)
}
