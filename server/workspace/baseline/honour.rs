//! Suppressions of a changed file, as far as the base granted them: a change cannot excuse itself.
//!
//! The base granted a rule to a file, or to a block. A suppression that stands in the file now counts for a rule if the
//! base has one for it that still holds and covers the same: the file, or a block of which more than half of the lines are
//! still there. A later day or another reason takes nothing away, and gives nothing.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use caveat_analysis::catalogue::{Group, RuleId};
use caveat_analysis::text::Str;
use caveat_analysis::verdict::{Finding, Reach, Status, Suppression};
use caveat_analysis::{Document, Env};
use jiff::civil::Date;

use super::loosened::{Loosened, What};
use crate::kind::language_of_text;
use crate::walk::Target;

/// A text and the suppressions in it.
struct Known<'a> {
    source: Str<'a>,
    all: Vec<Suppression>,
}

impl<'a> Known<'a> {
    fn new(text: &'a str, target: &Target) -> Known<'a> {
        // Cheaper than a reading, and true of nearly all files.
        let all = match text.contains("caveat-allow") {
            true => Document::new(
                text,
                language_of_text(&target.path, text),
                target.settings.rules(target.role, Some(&target.path)),
            )
            .snapshot()
            .suppressions(),
            false => Vec::new(),
        };
        Known { source: Str::new(text), all }
    }

    /// The lines that `one` covers, evened out; those without content, and those of fences, tell nothing.
    fn covered(&self, one: &Suppression) -> BTreeSet<String> {
        let lines = one.covers.clone().into_iter().flatten();
        let words = |line: usize| self.source.line_str(line).split_whitespace().collect::<Vec<_>>().join(" ");
        let tells = |line: &String| {
            line.contains(char::is_alphanumeric) && !line.starts_with("```") && !line.starts_with("~~~")
        };
        lines.map(words).filter(tells).collect()
    }
}

/// For each suppression of a text, by its line, the rules for which it counts.
#[derive(Debug, Default)]
struct Granted(HashMap<usize, Vec<RuleId>>);

impl Granted {
    fn covers(&self, finding: &Finding) -> bool {
        let by = finding.suppression.as_ref();
        by.is_none_or(|by| {
            by.reach == Reach::Config
                || self.0.get(&by.at.line).is_some_and(|rules| rules.contains(&finding.rule))
        })
    }
}

/// What is found in `text`, the file `target` as it is now, as the suppressions of `before`, the same file at the base,
/// would have it; `found` is what is found by its own. And which of its own say more than the base did.
pub(super) fn honour(
    before: Option<&str>,
    target: &Target,
    text: &str,
    found: Vec<Finding>,
    today: Date,
    judge: impl Fn(&dyn Fn(&mut Env)) -> Option<Vec<Finding>>,
) -> (Vec<Finding>, Vec<Loosened>) {
    let now = Known::new(text, target);
    if now.all.is_empty() {
        return (found, Vec::new());
    }
    let before = Known::new(before.unwrap_or_default(), target);
    let (granted, loosened) = granted(&before, &now, &target.path, today);
    if found.iter().all(|finding| granted.covers(finding)) {
        return (found, loosened);
    }
    // Judged without any, so that what a suppression pushed aside is there; then those that count are put back.
    let Some(mut bare) = judge(&|env| env.suppressions = false) else {
        let mut found = found;
        for finding in found.iter_mut().filter(|finding| !granted.covers(finding)) {
            (finding.status, finding.suppression) = (Status::Reported, None);
        }
        return (found, loosened);
    };
    for finding in &mut bare {
        let same = |one: &&Finding| one.rule == finding.rule && one.span == finding.span;
        if let Some(one) = found.iter().filter(|one| one.status == Status::Suppressed).find(same)
            && granted.covers(one)
        {
            *finding = one.clone();
        }
    }
    bare.extend(found.into_iter().filter(|one| one.group == Group::Suppression));
    bare.sort_by_key(|finding| (finding.span.offset, finding.span.length, finding.rule));
    (bare, loosened)
}

fn granted(before: &Known<'_>, now: &Known<'_>, path: &Path, today: Date) -> (Granted, Vec<Loosened>) {
    let (mut granted, mut loosened) = (Granted::default(), Vec::new());
    let then: Vec<_> =
        before.all.iter().filter_map(|one| Some((one.says.as_ref().ok()?, before.covered(one)))).collect();
    for one in &now.all {
        let Ok(allow) = &one.says else { continue };
        let covered = now.covered(one);
        for (rule, _) in &allow.rules {
            let grants = then.iter().filter(|(old, lines)| {
                old.rules.iter().any(|(known, _)| known == rule)
                    && (old.file || !allow.file && 2 * lines.intersection(&covered).count() > lines.len())
            });
            let until = grants.map(|(old, _)| old.expires).max();
            let what = match until {
                None => Some(What::SuppressionAdded),
                Some(until) => (allow.expires > until).then_some(What::SuppressionExtended),
            };
            if until.is_some_and(|until| today <= until) {
                granted.0.entry(one.at.line).or_default().push(*rule);
            }
            loosened.extend(what.map(|what| Loosened {
                file: path.to_path_buf(),
                line: Some(one.at.line + 1),
                what,
                rule: Some(*rule),
            }));
        }
    }
    (granted, loosened)
}
