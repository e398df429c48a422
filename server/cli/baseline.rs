//! `caveat check --baseline`: what a change brings, and only that counts.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use caveat_analysis::text::Str;
use caveat_workspace::baseline::{self, BaselineError, Change, Loosened as Known};
use caveat_workspace::name::escaped;
use caveat_workspace::walk::Request;
use jiff::civil::Date;

use crate::arguments::Check;
use crate::check::{Checked, Row, gather, row};
use crate::output::Failure;
use crate::progress::Progress;
use crate::report::{self, Baseline, Finding, Loosened};

/// Checks what `request` asks for against `revision`: the scanned root, and what all files add up to.
pub(crate) fn run(
    options: &Check,
    request: Request,
    revision: &str,
    today: Date,
) -> Result<(PathBuf, Checked), Failure> {
    // How many there will be is known only inside.
    let progress = Progress::counting(io::stderr().is_terminal());
    let compared = baseline::run(
        request,
        revision,
        today,
        |target, outcome| {
            progress.step();
            row(target, outcome, options.fail_on)
        },
        |name, text, finding| Finding::new(finding, name, &Str::new(text)),
    );
    progress.end();
    let compared = compared.map_err(|error| match error {
        BaselineError::Git(error) => {
            Failure::usage(format!("`--baseline {}`: {}", escaped(revision), error.sentence()))
        }
        BaselineError::Plan(error) => Failure::from(error),
    })?;
    let mut rows: Vec<Row> = Vec::with_capacity(compared.rows.len() + compared.gone.len());
    for (mut row, changes) in compared.rows {
        for (finding, change) in row.findings.iter_mut().zip(changes) {
            let (change, was) = match change {
                Change::New => ("new", None),
                Change::Unchanged => ("unchanged", None),
                Change::Raised(before) => ("new", Some(report::severity(before))),
            };
            (finding.change, finding.data.was) = (Some(change), was);
        }
        row.fails = row.findings.iter().any(|one| one.change == Some("new") && one.fails(options.fail_on));
        rows.push(row);
    }
    let mut checked = gather(rows, compared.plan.skipped);
    for (name, finding) in &compared.gone {
        let mut finding = Finding::new(finding, name, &Str::new(""));
        finding.change = Some("new");
        checked.fails |= finding.fails(options.fail_on);
        checked.report.add(finding);
    }
    for finding in checked.report.findings.iter_mut().filter(|finding| finding.change.is_none()) {
        // What was not read cannot be compared, and has to be told.
        finding.change = Some("new");
    }
    let count = |change| checked.report.findings.iter().filter(|one| one.change == Some(change)).count();
    let loosened = compared.loosened.into_iter().map(|(file, one)| {
        let Known { line, what, rule, .. } = one;
        Loosened { file, line, what: what.name(), rule: rule.map(|rule| rule.name()), says: what.sentence() }
    });
    checked.report.baseline = Some(Baseline {
        commit: compared.commit,
        new: count("new"),
        unchanged: count("unchanged"),
        resolved: compared.resolved,
        loosened: loosened.collect(),
    });
    Ok((compared.plan.root, checked))
}
