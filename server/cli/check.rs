//! `caveat check`: reads, judges, reports.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use caveat_analysis::Finding as Found;
use caveat_analysis::catalogue::Group;
use caveat_analysis::text::Str;
use caveat_analysis::verdict::{Role, Status};
use caveat_workspace::audit::Audit;
use caveat_workspace::globs::Globs;
use caveat_workspace::name::{escaped, relative};
use caveat_workspace::scan;
use caveat_workspace::standing::{Said, Standing};
use caveat_workspace::walk::{self, Note, Plan, PlanError, Request, Skipped, Target};
use caveat_workspace::{Settings, Unread, config, fix, git_root};
use jiff::civil::Date;

use crate::arguments::{Check, FailOn, ReportFormat, SarifSuppressions, What};
use crate::output::{self, Failure};
use crate::progress::Progress;
use crate::report::{Finding, Report};
use crate::{baseline, github, jsonl, records, sarif, text, today};

/// Checks what `options` names and writes the report. The status is that of CONTRACTS, "The command line".
#[must_use]
pub fn check(options: &Check) -> ExitCode {
    match run(options) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => failure.told(),
    }
}

fn run(options: &Check) -> Result<u8, Failure> {
    let today = options.today.unwrap_or_else(today);
    scan::with_jobs(options.jobs, || match options.records {
        true => {
            let records::Totals { fails, incomplete, exempt } = records::run(options, today)?;
            Ok(Outcome { fails, incomplete }.status(exempt, options.max_exempt))
        }
        false => files(options, today),
    })
}

fn files(options: &Check, today: Date) -> Result<u8, Failure> {
    let current = std::env::current_dir().map_err(|_| Failure::from(PlanError::NoCurrentFolder))?;
    let mut request = request(options, current.clone())?;
    let mut notes: Vec<Note> = Vec::new();
    let (root, checked) = if request.paths.iter().any(|path| path == Path::new("-")) {
        if request.paths.len() > 1 {
            return Err(Failure::usage("`-` reads standard input and stands alone"));
        }
        if options.fix {
            return Err(Failure::usage("`--fix` writes files: it cannot be used with `-`"));
        }
        if options.baseline.is_some() {
            return Err(Failure::usage("`--baseline` compares files: it cannot be used with `-`"));
        }
        request.paths.clear();
        let path = options.stdin_path.as_deref();
        let mut read = Vec::new();
        let mut config = None;
        if path.and_then(Path::file_name).is_some_and(|name| name == config::CONFIG_NAME) {
            // It judges itself, so it has to be known before anything is judged.
            let most = config::MAX_FILE_BYTES + 1;
            let all = io::stdin().lock().take(most).read_to_end(&mut read);
            all.map_err(|_| Failure::usage("standard input cannot be read"))?;
            config = String::from_utf8(read.clone()).ok();
        }
        let (root, target) = walk::unsaved(request, path, config)?;
        let row =
            scan::run_on(&target, today, read.as_slice().chain(io::stdin().lock()), |target, outcome| {
                row(target, outcome, options.fail_on)
            });
        (root, gather(vec![row], Vec::new()))
    } else if options.stdin_path.is_some() {
        return Err(Failure::usage("`--stdin-path` needs the path `-`"));
    } else if let Some(revision) = &options.baseline {
        baseline::run(options, request, revision, today)?
    } else {
        let plan = walk::plan(request)?;
        if options.fix {
            fix(&plan, today, &current)?;
        }
        let standing = Standing::default();
        let progress = Progress::new(plan.targets.len(), io::stderr().is_terminal());
        let rows = scan::run(&plan.targets, today, |target, outcome| {
            progress.step();
            let findings = outcome.as_ref().ok().map(|(_, findings)| findings.as_slice());
            standing.judged(&target.settings, &target.path, findings);
            row(target, outcome, options.fail_on)
        });
        progress.end();
        // Only of what was looked at whole can it be said that nothing needs it.
        let narrowed =
            !options.exclude.is_empty() || options.config.is_some() || options.role.role().is_some();
        let whole = |config: &Path| {
            let above = |folder: &PathBuf| config.parent().is_some_and(|own| own.starts_with(folder));
            !narrowed && plan.skipped.is_empty() && plan.walked.iter().any(above)
        };
        let mut rows = rows;
        if let Some(first) = rows.first_mut() {
            first.add(standing.said(today, whole), &plan.root, options.fail_on);
        }
        if !narrowed {
            notes = plan.notes();
        }
        (plan.root, gather(rows, plan.skipped))
    };
    let Checked { report, fails, incomplete, addressed, partly, eased } = checked;
    let current = current.canonicalize().unwrap_or(current);
    let status = Outcome { fails, incomplete }.status(report.summary.exempt, options.max_exempt);
    // Hosts know a file by its path in the repository, whatever was scanned.
    let hosted = || relative(&root, &git_root(&root).unwrap_or_else(|| current.clone()));
    let to = options.output.as_deref();
    for note in &notes {
        let place = text::shown(&note.file, &relative(&root, &current));
        // Nobody is left to be told if stderr is gone.
        let _ = writeln!(anstream::stderr(), "caveat: {place}:{}:{}: {}", note.line, note.column, note.says);
    }
    match options.format.unwrap_or(ReportFormat::Text) {
        ReportFormat::Text => output::write(to, options.color, |out| {
            let (root, untrusted) = (&relative(&root, &current), options.untrusted);
            let of = text::Of { root, addressed, partly, eased, untrusted };
            text::write(&report, &of, out)
        }),
        ReportFormat::Json => output::write_plain(to, |out| report.write(out)),
        ReportFormat::Jsonl => output::write_plain(to, |out| jsonl::write(&report, out)),
        ReportFormat::Github => output::write_plain(to, |out| github::write(&report, &notes, &hosted(), out)),
        ReportFormat::Sarif => {
            let run = sarif::Run {
                root: &hosted(),
                notes: &notes,
                part: sarif::part(options, &hosted()),
                complete: !incomplete,
                status,
                suppressions: options.sarif_suppressions == SarifSuppressions::Include,
            };
            output::write_plain(to, |out| sarif::write(&report, &run, out))
        }
    }?;
    Ok(status)
}

/// Makes what is safe to fix in the files of `plan`, and tells it on stderr, where no format is disturbed.
fn fix(plan: &Plan, today: Date, current: &Path) -> Result<(), Failure> {
    let root = relative(&plan.root, &current.canonicalize().unwrap_or_else(|_| current.to_path_buf()));
    let mut failed = false;
    for target in &plan.targets {
        let line = match fix::apply(target, today) {
            Ok(fix::Fixed { rules, open: 0 }) if rules.is_empty() => continue,
            Ok(fix::Fixed { rules, open }) => {
                let mut names: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
                names.sort_unstable();
                names.dedup();
                let mut parts = Vec::new();
                if !rules.is_empty() {
                    let many = text::counted(rules.len(), "finding");
                    parts.push(format!("fixed: {many} ({})", names.join(", ")));
                }
                if open > 0 {
                    let many = text::counted(open, "fence");
                    parts.push(format!(
                        "{many} not closed, because that would change what is reported of a command"
                    ));
                }
                parts.join("; ")
            }
            Err(error) => {
                failed = true;
                error.sentence().to_owned()
            }
        };
        // Nobody is left to be told if stderr is gone.
        let _ = writeln!(anstream::stderr(), "{}: {line}", text::shown(&target.name, &root));
    }
    if failed { Err(Failure::usage("not every file could be fixed")) } else { Ok(()) }
}

fn request(options: &Check, current: PathBuf) -> Result<Request, Failure> {
    let what = What {
        paths: options.paths.clone(),
        config: options.config.clone(),
        exclude: options.exclude.clone(),
        no_ignore: options.no_ignore,
        untrusted: options.untrusted,
        jobs: options.jobs,
    };
    Ok(Request { role: options.role.role(), ..scan_request(&what, current)? })
}

/// What to scan, as the workspace takes it; relative paths start from `current`.
pub(crate) fn scan_request(what: &What, current: PathBuf) -> Result<Request, Failure> {
    let exclude = Globs::new(what.exclude.iter().map(String::as_str));
    let exclude = exclude.map_err(|at| {
        let glob = what.exclude.get(at).map_or("", String::as_str);
        Failure::usage(format!("`--exclude`: this is not a glob: {}", escaped(glob)))
    })?;
    if let Some(file) = what.config.as_ref().filter(|file| file.metadata().is_err_and(is_absent)) {
        let name = escaped(&file.to_string_lossy()).into_owned();
        return Err(Failure::usage(format!("`--config`: there is no such file: {name}")));
    }
    let config = what.config.as_ref().map(|file| config::load(file)).transpose();
    let config = config.map_err(|error| Failure::from(PlanError::Config(vec![error.into()])))?;
    let (paths, no_ignore, untrusted) = (what.paths.clone(), what.no_ignore, what.untrusted);
    Ok(Request { paths, current, exclude, no_ignore, config, untrusted, ..Request::default() })
}

fn is_absent(error: io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Whether an audit of `plan` left out something that counts.
pub(crate) fn incomplete(plan: &Plan, audit: &Audit) -> bool {
    let needed = |name: &str| plan.targets.iter().any(|target| target.name == name && target.needed());
    plan.skipped.iter().any(|skipped| skipped.needed) || audit.skipped.iter().any(|one| needed(&one.file))
}

/// What one file adds to the report.
pub(crate) struct Row {
    pub(crate) findings: Vec<Finding>,
    skipped: Option<Skipped>,
    pub(crate) fails: bool,
    addressed: bool,
    /// Whether it was not looked at for everything: it has no role, or is generated.
    partly: bool,
    settings: Arc<Settings>,
}

impl Row {
    /// Adds what is said of configurations.
    fn add(&mut self, said: Vec<Said>, root: &Path, fail_on: FailOn) {
        for Said { source, findings } in said {
            let (name, text) = (relative(&source.file, root), Str::new(&source.text));
            self.fails |= findings.iter().any(|finding| counts(finding) && fail_on.fails(finding.severity));
            self.findings.extend(findings.iter().map(|finding| Finding::new(finding, &name, &text)));
        }
    }
}

/// What all files add up to.
pub(crate) struct Checked {
    pub(crate) report: Report,
    pub(crate) fails: bool,
    pub(crate) incomplete: bool,
    /// Whether any file is known to be read by somebody for more than information.
    addressed: bool,
    /// How many of the files that were read were not looked at for everything.
    partly: usize,
    /// What the configurations take from the rules.
    eased: Eased,
}

/// How many rules configurations switch off or make less grave.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Eased {
    pub(crate) off: usize,
    pub(crate) lowered: usize,
}

impl Eased {
    fn of<'a>(all: impl Iterator<Item = &'a Arc<Settings>>) -> Eased {
        let mut known: Vec<&Arc<Settings>> = Vec::new();
        let (mut off, mut lowered) = (BTreeSet::new(), BTreeSet::new());
        for settings in all {
            if known.iter().any(|other| Arc::ptr_eq(other, settings)) {
                continue;
            }
            known.push(settings);
            for decision in &settings.config().decisions {
                match decision.severity {
                    None => drop(off.insert(decision.rule.name())),
                    Some(now) if now < decision.rule.rule().severity => {
                        lowered.insert(decision.rule.name());
                    }
                    Some(_) => {}
                }
            }
        }
        Eased { off: off.len(), lowered: lowered.len() }
    }
}

/// What a run comes to.
struct Outcome {
    fails: bool,
    incomplete: bool,
}

impl Outcome {
    /// The status; `exempt` findings were exempt, and more than `most` fail the run, which is told.
    fn status(&self, exempt: usize, most: Option<usize>) -> u8 {
        let over = most.filter(|most| exempt > *most);
        if let Some(most) = over {
            let many = format!("{exempt} exempt, more than the {most} of --max-exempt");
            let _ = writeln!(anstream::stderr(), "caveat: {many}; `caveat audit` lists them");
        }
        match (self.fails || over.is_some(), self.incomplete) {
            (true, _) => 1,
            (false, true) => 3,
            (false, false) => 0,
        }
    }
}

/// What `outcome` of `target` adds to a report.
pub(crate) fn row(target: &Target, outcome: scan::Outcome<'_>, fail_on: FailOn) -> Row {
    let addressed = target.role != (Role::Reference { declared: false });
    // A configuration is read for what it says, whoever is addressed in it.
    let is_config = target.path.file_name().is_some_and(|name| name == config::CONFIG_NAME);
    let partly = (!addressed || target.generated) && !is_config;
    let settings = Arc::clone(&target.settings);
    match outcome {
        Ok((text, findings)) => {
            let fails = findings.iter().any(|finding| counts(finding) && fail_on.fails(finding.severity));
            let source = Str::new(text);
            let findings =
                findings.iter().map(|finding| Finding::new(finding, &target.name, &source)).collect();
            Row { findings, skipped: None, fails, addressed, partly, settings }
        }
        Err(unread) => Row {
            findings: Vec::new(),
            skipped: Some(Skipped { name: target.name.clone(), unread, needed: target.needed() }),
            fails: false,
            addressed,
            partly,
            settings,
        },
    }
}

/// Whether a finding can fail a run: notices, exempt and suppressed ones never do.
fn counts(finding: &Found) -> bool {
    finding.status == Status::Reported && finding.group != Group::Notice
}

/// All rows, and what was not even a target, as one report.
pub(crate) fn gather(rows: Vec<Row>, mut skipped: Vec<Skipped>) -> Checked {
    let files = rows.iter().filter(|row| row.skipped.is_none()).count();
    let fails = rows.iter().any(|row| row.fails);
    let addressed = rows.iter().any(|row| row.addressed);
    let partly = rows.iter().filter(|row| row.partly && row.skipped.is_none()).count();
    let eased = Eased::of(rows.iter().map(|row| &row.settings));
    let mut findings = Vec::new();
    for row in rows {
        findings.extend(row.findings);
        skipped.extend(row.skipped);
    }
    skipped.sort_by(|a, b| a.name.cmp(&b.name));
    findings.extend(skipped.iter().map(|skipped| skip_finding(&skipped.name, skipped.unread)));
    // Stable: what one file adds is in order already.
    findings.sort_by(|a, b| a.file.cmp(&b.file));
    let incomplete = skipped.iter().any(|skipped| skipped.needed);
    Checked { report: Report::new(files, findings, &skipped), fails, incomplete, addressed, partly, eased }
}

fn skip_finding(name: &str, unread: Unread) -> Finding {
    Finding::new(&scan::skip_finding(unread), name, &Str::new(""))
}
