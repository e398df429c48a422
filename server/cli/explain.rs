//! `caveat explain`: a rule's page, or what holds on a line of a file and the proof of it.

use std::ffi::OsStr;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use caveat_analysis::Document;
use caveat_analysis::catalogue::{Catalogue, Group, Rule, RuleId};
use caveat_analysis::nearest::nearest;
use caveat_analysis::text::Source as _;
use caveat_analysis::verdict::{Finding, Role, Status};
use caveat_workspace::kind::language_of_text;
use caveat_workspace::name::escaped;
use caveat_workspace::walk::{self, PlanError, Request};
use jiff::civil::Date;

use crate::arguments::{Color, Explain, What};
use crate::check::scan_request;
use crate::output::{self, Failure};

/// Explains the rule or the line that `options` names.
#[must_use]
pub fn explain(options: &Explain) -> ExitCode {
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.told(),
    }
}

fn run(options: &Explain) -> Result<(), Failure> {
    let catalogue = Catalogue::get();
    let named = |name: &str| catalogue.by_name(name).or_else(|| with_form(name));
    if let Some(rule) = options.what.to_str().and_then(named) {
        let rule = catalogue.rule(rule);
        let mut page = rule.page(options.examples);
        let hostile = if options.examples { rule.hostile_examples() } else { String::new() };
        if !hostile.is_empty() {
            // What is printed elsewhere may be read by an agent, and these are written to be obeyed.
            page.push_str("\n## Examples\n\n");
            match io::stdout().is_terminal() {
                true => page.push_str(&hostile),
                false => page.push_str("Examples of this rule are printed to a terminal only.\n"),
            }
        }
        return output::write(None, Color::Auto, |out| out.write_all(page.as_bytes()));
    }
    match file_and_line(&options.what, &|path| path.exists()) {
        Some((file, line)) => explain_line(&file, line, options),
        None if Path::new(&options.what).is_file() => {
            Err(Failure::usage("this is a file: name a line of it too, as FILE:LINE"))
        }
        None if names_file_before_colon(&options.what) => {
            Err(Failure::usage("behind the colon a line number is wanted, as in FILE:12"))
        }
        None => Err(unknown(&options.what)),
    }
}

/// The rule that has a form, a report's `pattern`, of this id.
fn with_form(name: &str) -> Option<RuleId> {
    let has = |rule: &Rule| {
        rule.commands.iter().any(|one| one.id == name)
            || rule.phrases.iter().any(|one| one.id == name)
            || rule.patterns.iter().any(|one| one.id == name)
            || rule.forms.iter().any(|one| one.id == name)
    };
    Catalogue::get().rules().find(|(_, rule)| has(rule)).map(|(id, _)| id)
}

fn names_file_before_colon(what: &OsStr) -> bool {
    let text = what.to_str().and_then(|text| text.rsplit_once(':'));
    text.is_some_and(|(file, _)| Path::new(file).is_file())
}

fn unknown(what: &OsStr) -> Failure {
    let what = what.to_string_lossy();
    let ids = Catalogue::get().rules().map(|(_, rule)| rule.id.as_str());
    let hint = match nearest(&what, ids) {
        Some(id) => format!("did you mean `{id}`?"),
        None => "`caveat rules` lists the rules; a place in a file is written FILE:LINE".to_owned(),
    };
    Failure::usage(format!("there is no rule of that name; {hint}"))
}

/// The file and the one-based line of `FILE:LINE`, split at the last colon before digits. What editors and reports print,
/// `FILE:LINE:COLUMN`, is taken too where only that names a file that exists.
fn file_and_line(what: &OsStr, exists: &dyn Fn(&Path) -> bool) -> Option<(PathBuf, usize)> {
    let text = what.to_str()?;
    let split = |text: &str| {
        let (file, line) = text.rsplit_once(':')?;
        let digits = !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
        (digits && !file.is_empty()).then(|| Some((file.to_owned(), line.parse().ok()?)))?
    };
    let (file, line): (String, usize) = split(text)?;
    if !exists(Path::new(&file))
        && let Some((shorter, earlier)) = split(&file)
        && exists(Path::new(&shorter))
    {
        return Some((shorter.into(), earlier));
    }
    Some((file.into(), line))
}

fn explain_line(file: &Path, line: usize, options: &Explain) -> Result<(), Failure> {
    let current = std::env::current_dir().map_err(|_| Failure::from(PlanError::NoCurrentFolder))?;
    let (paths, config, untrusted) = (vec![file.to_path_buf()], options.config.clone(), options.untrusted);
    let what = What { paths, config, untrusted, ..What::default() };
    let plan = walk::plan(Request { role: options.role.role(), ..scan_request(&what, current)? })?;
    let name = escaped(&file.to_string_lossy()).into_owned();
    let Some(target) = plan.targets.first().filter(|_| file.is_file()) else {
        return Err(Failure::usage(format!("{name} is not a file that can be read")));
    };
    let text =
        target.read().map_err(|unread| Failure::usage(format!("{name}: {}", unread.reason.sentence())))?;
    let mut document = Document::new(
        &text,
        language_of_text(&target.path, &text),
        target.settings.rules(target.role, Some(&target.path)),
    );
    document.settle();
    let snapshot = document.snapshot();
    let lines = snapshot.text().line_count();
    if !(1..=lines).contains(&line) {
        return Err(Failure::usage(format!("{name} has lines 1 to {lines}")));
    }
    let at = line - 1;
    let today = options.today.unwrap_or_else(crate::today);
    let mut findings = snapshot.findings(&target.settings.env(target.role, Some(&target.path), today));
    let proofs = snapshot.proofs_at(at, &findings);
    let proof: Vec<_> = proofs.iter().flat_map(|proof| proof.describe()).collect();
    findings.retain(|finding| (finding.span.line..=finding.span.end_line).contains(&at));
    let suppressions = snapshot.suppressions();
    let suppressions: Vec<_> = suppressions
        .iter()
        .filter(|suppression| suppression.at.line == at)
        .flat_map(|suppression| suppression.describe(today))
        .collect();
    output::write(None, Color::Auto, |out| {
        writeln!(out, "{name}:{line} ({})\n", role(target.role))?;
        for sentence in proof.iter().chain(&suppressions) {
            writeln!(out, "{sentence}")?;
        }
        let suppressed = findings.iter().any(|finding| finding.suppression.is_some());
        if proof.is_empty() && suppressions.is_empty() && !suppressed {
            writeln!(out, "Nothing on this line or around it forbids, shows or suppresses what is on it.")?;
            let is_command = |finding: &Finding| finding.group == Group::Danger;
            if findings.iter().any(is_command) {
                writeln!(
                    out,
                    "What would forbid it, one sentence: Never run, then the command in backticks, then a full stop.\n\
                     Or, right above its fenced block or list of commands, the line: Never run these commands:"
                )?;
            }
        }
        pages(&findings, target.role, today, out)
    })
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Instructions => "instructions",
        Role::Runbook => "runbook",
        Role::Reference { declared: true } => "reference",
        Role::Reference { declared: false } => {
            "reference, not declared: only credentials and the gravest injections are looked for"
        }
    }
}

/// What is found on the line, then the page of each rule once.
fn pages(findings: &[Finding], role: Role, today: Date, out: &mut dyn Write) -> io::Result<()> {
    match (findings, role) {
        // What was not looked for must not pass for what was not found.
        ([], Role::Reference { declared: false }) => {
            writeln!(out, "\nNeither is found on this line. Commands were not looked for:")?;
            return writeln!(
                out,
                "`--role instructions|runbook|reference` or [roles] in caveat.toml says who reads the file."
            );
        }
        ([], _) => return writeln!(out, "\nNothing is found on this line."),
        _ => {}
    }
    writeln!(out)?;
    let mut rules: Vec<RuleId> = Vec::new();
    for finding in findings {
        let status = match finding.status {
            Status::Reported => "reported",
            Status::Exempt => "exempt",
            Status::Suppressed => "suppressed",
        };
        writeln!(
            out,
            "{}, {status}: {} ({})",
            finding.severity.name(),
            finding.message,
            finding.rule.name()
        )?;
        if let Some(by) = &finding.suppression {
            for sentence in by.describe(today) {
                writeln!(out, "{sentence}")?;
            }
        }
        if !rules.contains(&finding.rule) {
            rules.push(finding.rule);
        }
    }
    for rule in rules {
        writeln!(out, "\n{}", rule.rule().page(false).trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_splits_at_the_last_colon_before_digits() {
        let exists = |path: &Path| path == Path::new("a.md") || path == Path::new("odd:7");
        let cases: &[(&str, Option<(&str, usize)>)] = &[
            ("a.md:12", Some(("a.md", 12))),
            (r"C:\x\a.md:3", Some((r"C:\x\a.md", 3))),
            ("a.md:12:5", Some(("a.md", 12))),
            ("odd:7:5", Some(("odd:7", 5))),
            ("gone.md:12:5", Some(("gone.md:12", 5))),
            ("a.md", None),
            ("a.md:", None),
            (":3", None),
            ("a.md:3x", None),
            ("a.md:99999999999999999999999", None),
        ];
        for (what, expected) in cases {
            let found = file_and_line(OsStr::new(what), &exists);
            let expected = expected.map(|(file, line)| (PathBuf::from(file), line));
            assert_eq!(found, expected, "{what}");
        }
    }
}
