//! `caveat rules`: what is looked for.

use std::io::{self, Write};
use std::process::ExitCode;

use caveat_analysis::catalogue::{Catalogue, Look, Rule};
use serde::Serialize;

use crate::arguments::{Color, Format, Rules};
use crate::output;
use crate::report::write_json;

#[derive(Serialize)]
struct List {
    version: u32,
    rules: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    id: &'static str,
    group: &'static str,
    severity: &'static str,
    /// Never fails a run, and cannot be made to.
    advisory: bool,
    /// Whether it is on where no configuration speaks of it.
    enabled: bool,
    roles: Roles,
    summary: &'static str,
    why: &'static str,
    remedy: &'static str,
}

/// In which roles a rule looks: `yes`, `info` (at most as information), `no`.
#[derive(Serialize)]
struct Roles {
    instructions: Look,
    runbook: Look,
    reference: Look,
}

impl Entry {
    fn new(rule: &'static Rule) -> Entry {
        let roles = rule.roles();
        Entry {
            id: &rule.id,
            group: rule.group.name(),
            severity: rule.severity.name(),
            advisory: rule.advisory,
            enabled: !rule.off,
            roles: Roles {
                instructions: roles.instructions,
                runbook: roles.runbook,
                reference: roles.reference,
            },
            summary: &rule.summary,
            why: rule.why.trim(),
            remedy: rule.remedy.trim(),
        }
    }
}

/// Lists the rules.
#[must_use]
pub fn rules(options: &Rules) -> ExitCode {
    let list =
        List { version: 1, rules: Catalogue::get().rules().map(|(_, rule)| Entry::new(rule)).collect() };
    let written = output::write(None, Color::Auto, |out| match options.format {
        Format::Json => write_json(&list, out),
        Format::Text => table(&list.rules, out),
    });
    written.map_or_else(|failure| failure.told(), |()| ExitCode::SUCCESS)
}

fn table(rules: &[Entry], out: &mut dyn Write) -> io::Result<()> {
    let widest = |of: fn(&Entry) -> &str| rules.iter().map(|rule| of(rule).len()).max().unwrap_or_default();
    let (ids, groups) = (widest(|rule| rule.id), widest(|rule| rule.group));
    for rule in rules {
        let off = if rule.enabled { "" } else { " (off by default)" };
        writeln!(
            out,
            "{:<ids$}  {:<groups$}  {:<7}  {}{off}",
            rule.id, rule.group, rule.severity, rule.summary
        )?;
    }
    writeln!(out, "\n`caveat explain RULE` shows a rule's page")
}
