//! Files read and judged, in parallel, with results in order.

use std::collections::HashMap;
use std::io::Read;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use caveat_analysis::catalogue::{Catalogue, Group, Severity};
use caveat_analysis::document;
use caveat_analysis::facts::view::Views;
use caveat_analysis::verdict::{Env, Finding, Message, Span, Stance, Status};
use jiff::civil::Date;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::fingerprint::fingerprint;
use crate::kind::language_of_text;
use crate::read::{self, SkipReason, Unread};
use crate::walk::Target;

/// A file's text and all its findings, whatever their status; or why it was not read.
pub type Outcome<'a> = Result<(&'a str, Vec<Finding>), Unread>;

/// Reads and judges `targets`, as of the day `today` in UTC, in parallel and hands each outcome to `each`; gives what that
/// returned, in their order.
pub fn run<T: Send>(
    targets: &[Target],
    today: Date,
    each: impl Fn(&Target, Outcome<'_>) -> T + Sync,
) -> Vec<T> {
    targets.par_iter().map(|target| with_outcome(target, today, target.read(), &each)).collect()
}

/// Hands each of `items` to `each`, in parallel, and gives what that returned, in their order.
pub fn each<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // One item needs no other thread, and waiting for one costs more than most texts do.
    match items {
        [one] => vec![each(one)],
        items => items.par_iter().map(&each).collect(),
    }
}

/// Runs `work` with at most `jobs` of its parts at once; `None`: as many as there are processors.
pub fn with_jobs<T: Send>(jobs: Option<NonZeroUsize>, work: impl FnOnce() -> T + Send) -> T {
    let pool = jobs.and_then(|jobs| rayon::ThreadPoolBuilder::new().num_threads(jobs.get()).build().ok());
    match pool {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// As [`run`], with the texts of some files, by their paths, in place of what is on the disk.
pub fn run_with<T: Send>(
    targets: &[Target],
    today: Date,
    texts: &HashMap<PathBuf, String>,
    each: impl Fn(&Target, Outcome<'_>) -> T + Sync,
) -> Vec<T> {
    let text = |target: &Target| match texts.get(&target.path) {
        Some(text) => read::read_from(text.as_bytes(), target.settings.max_file_bytes()),
        None => target.read(),
    };
    targets.par_iter().map(|target| with_outcome(target, today, text(target), &each)).collect()
}

/// Reads and judges the one file `target`, as of the day `today` in UTC, and hands the outcome to `each`.
pub fn one<T>(target: &Target, today: Date, each: impl Fn(&Target, Outcome<'_>) -> T) -> T {
    with_outcome(target, today, target.read(), &each)
}

/// Judges what `from` gives as the text of `target`, as of the day `today` in UTC, and hands the outcome to `each`.
pub fn run_on<T>(
    target: &Target,
    today: Date,
    from: impl Read,
    each: impl Fn(&Target, Outcome<'_>) -> T,
) -> T {
    with_outcome(target, today, read::read_from(from, target.settings.max_file_bytes()), &each)
}

fn with_outcome<T>(
    target: &Target,
    today: Date,
    text: Result<String, Unread>,
    each: &impl Fn(&Target, Outcome<'_>) -> T,
) -> T {
    let judged = text.and_then(|text| judge(target, today, &text, &|_| {}).map(|findings| (text, findings)));
    match judged {
        Ok((text, findings)) => {
            let fault = Unread { reason: SkipReason::Fault, bytes: Some(text.len() as u64) };
            // What is made of the findings reads the text once more, and may fail as well.
            guarded(|| each(target, Ok((&text, findings)))).unwrap_or_else(|| each(target, Err(fault)))
        }
        Err(unread) => each(target, Err(unread)),
    }
}

/// Judges `text` as that of `target`, as of the day `today`, in its environment as `tweak` leaves it.
pub(crate) fn judge(
    target: &Target,
    today: Date,
    text: &str,
    tweak: &dyn Fn(&mut Env),
) -> Result<Vec<Finding>, Unread> {
    let (settings, path) = (&target.settings, Some(target.path.as_path()));
    let rules = settings.rules(target.role, path);
    let mut env = settings.env(target.role, path, today);
    tweak(&mut env);
    let language = language_of_text(&target.path, text);
    let findings = guarded(|| {
        debug::fail_if_told(&target.path);
        document::check(text, language, &rules, &env)
    });
    let mut findings =
        findings.ok_or(Unread { reason: SkipReason::Fault, bytes: Some(text.len() as u64) })?;
    keep_relevant(target, &mut findings);
    Ok(findings)
}

/// What `work` gives; `None`: it panicked. A fault of ours on one file must neither end the scan nor pass for a clean file.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// A fault on demand, so that tests of the whole program can see what follows from one. Not in a released binary.
mod debug {
    use std::path::Path;

    /// Panics if the environment names the file at `path`, with a text that no output may carry.
    pub(super) fn fail_if_told(path: &Path) {
        #[cfg(debug_assertions)]
        {
            let told = std::env::var_os("CAVEAT_DEBUG_FAIL_ON");
            assert!(
                told.is_none_or(|name| path.file_name() != Some(&name)),
                "a kumquat in {}",
                path.display()
            );
        }
        #[cfg(not(debug_assertions))]
        let _ = path;
    }
}

/// Leaves of `findings` those that are looked for in the file of `target`.
pub(crate) fn keep_relevant(target: &Target, findings: &mut Vec<Finding>) {
    if target.generated {
        findings.retain(|finding| finding.group == Group::Secret || finding.rule.name() == "hidden-content");
    }
}

/// The finding that stands, at the beginning of its first line, for what was not read.
#[must_use]
pub fn skip_finding(unread: Unread) -> Finding {
    let rule = Catalogue::get().by_name("scan-skipped");
    Finding {
        pointer: None,
        rule: rule.expect("a test holds that the rule exists"),
        group: Group::Notice,
        severity: Severity::Warning,
        status: Status::Reported,
        stance: Stance::Given,
        span: Span { line: 0, column: 0, end_line: 0, end_column: 0, offset: 0, length: 0 },
        message: Message::from(unread.reason.sentence()),
        pattern: Some(unread.reason.name()),
        obfuscated: Views::empty(),
        scope: None,
        suppression: None,
        also: Vec::new(),
        fingerprint: fingerprint(&[b"scan-skipped", unread.reason.name().as_bytes()]),
    }
}
