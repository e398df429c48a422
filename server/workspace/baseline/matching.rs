//! Which findings were there before.
//!
//! A fingerprint outlives moves and renames, but not a change of a neighbouring line; so what is left after the
//! fingerprints is compared by its own words. Each finding of the base answers for one of now, and the nearest goes
//! first: the same file before another.

use std::collections::HashMap;

use caveat_analysis::catalogue::{Group, RuleId, Severity};
use caveat_analysis::verdict::{Finding, Status};
use sha2::{Digest as _, Sha256};

/// What became of a finding since the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    New,
    /// It was, no less grave than now.
    Unchanged,
    /// It was, and was less grave: its severity then.
    Raised(Severity),
}

/// A finding, as it is compared. Holds no text: hashes, which are never shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    rule: RuleId,
    severity: Severity,
    /// Whether it counts; what does not is compared apart, so that a command which was forbidden is new when it is given.
    reported: bool,
    fingerprint: u128,
    /// Of the rule, the pattern and the words.
    words: [u8; 32],
    secret: bool,
}

impl Seen {
    pub(super) fn new(finding: &Finding, text: &str) -> Seen {
        let span = finding.span;
        let words = text.get(span.offset..span.offset + span.length).unwrap_or_default();
        let mut hasher = Sha256::new();
        for part in [finding.rule.name(), finding.pattern.unwrap_or_default()]
            .into_iter()
            .chain(words.split_whitespace())
        {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Seen {
            rule: finding.rule,
            severity: finding.severity,
            reported: finding.status == Status::Reported,
            fingerprint: finding.fingerprint,
            words: hasher.finalize().into(),
            secret: finding.group == Group::Secret,
        }
    }

    /// What is equal for the same finding in the same surroundings. Another secret in the place of one is another leak,
    /// though its fingerprint leaves the value out.
    fn by_fingerprint(&self) -> Key {
        (self.reported, self.fingerprint, if self.secret { self.words } else { [0; 32] })
    }

    /// Of the rule, the pattern and the words.
    pub(super) fn words(&self) -> [u8; 32] {
        self.words
    }

    fn by_words(&self) -> Key {
        (self.reported, 0, self.words)
    }
}

type Key = (bool, u128, [u8; 32]);

/// The findings of one file, now or at the base. `known` is the same for the file now and at the base.
pub(super) struct Side {
    pub(super) known: usize,
    /// Now: the file is new. At the base: it is gone.
    pub(super) alone: bool,
    pub(super) findings: Vec<Seen>,
}

/// For each finding of `now` what became of it, and which of `then` nothing answers for.
pub(super) fn compare(then: &[Side], now: &[Side]) -> (Vec<Vec<Change>>, Vec<(usize, usize)>) {
    let mut changes: Vec<Vec<Option<Change>>> =
        now.iter().map(|side| vec![None; side.findings.len()]).collect();
    let mut free: Vec<Vec<bool>> = then.iter().map(|side| vec![true; side.findings.len()]).collect();
    type Of = fn(&Side, &Seen) -> Option<(usize, Key)>;
    let passes: [Of; 4] = [
        |side, seen| Some((side.known, seen.by_fingerprint())),
        |side, seen| Some((side.known, seen.by_words())),
        |_, seen| Some((usize::MAX, seen.by_fingerprint())),
        |side, seen| side.alone.then(|| (usize::MAX, seen.by_words())),
    ];
    for of in passes {
        let mut waiting: HashMap<(usize, Key), Vec<(usize, usize)>> = HashMap::new();
        for (file, side) in then.iter().enumerate().rev() {
            for (at, seen) in side.findings.iter().enumerate().rev().filter(|(at, _)| free[file][*at]) {
                if let Some(key) = of(side, seen) {
                    waiting.entry(key).or_default().push((file, at));
                }
            }
        }
        for (file, side) in now.iter().enumerate() {
            for (at, seen) in side.findings.iter().enumerate() {
                if changes[file][at].is_some() {
                    continue;
                }
                let Some(key) = of(side, seen) else { continue };
                let Some((old_file, old_at)) = waiting.get_mut(&key).and_then(Vec::pop) else { continue };
                free[old_file][old_at] = false;
                let before = then[old_file].findings[old_at].severity;
                changes[file][at] =
                    Some(if seen.severity > before { Change::Raised(before) } else { Change::Unchanged });
            }
        }
    }
    let changes =
        changes.into_iter().map(|side| side.into_iter().map(|one| one.unwrap_or(Change::New)).collect());
    let resolved = free.iter().enumerate().flat_map(|(file, free)| {
        let gone = free.iter().enumerate().filter(|(_, free)| **free);
        gone.map(move |(at, _)| (file, at))
    });
    let resolved = resolved.filter(|(file, at)| then[*file].findings[*at].reported).collect();
    (changes.collect(), resolved)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(fingerprint: u128, words: u8, severity: Severity) -> Seen {
        Seen { rule: RuleId(0), severity, reported: true, fingerprint, words: [words; 32], secret: false }
    }

    fn side(known: usize, alone: bool, findings: &[Seen]) -> Side {
        Side { known, alone, findings: findings.to_vec() }
    }

    #[test]
    fn each_finding_of_the_base_answers_for_one() {
        use Change::{New, Raised, Unchanged};
        let (warning, error) = (Severity::Warning, Severity::Error);
        let one = seen(1, 1, error);
        type Case = (Vec<Side>, Vec<Side>, Vec<Vec<Change>>, usize);
        let cases: Vec<Case> = vec![
            // As it was.
            (vec![side(0, false, &[one])], vec![side(0, false, &[one])], vec![vec![Unchanged]], 0),
            // Twice now.
            (vec![side(0, false, &[one])], vec![side(0, false, &[one, one])], vec![vec![Unchanged, New]], 0),
            // Gone.
            (vec![side(0, false, &[one])], vec![side(0, false, &[])], vec![vec![]], 1),
            // Graver.
            (
                vec![side(0, false, &[seen(1, 1, warning)])],
                vec![side(0, false, &[one])],
                vec![vec![Raised(warning)]],
                0,
            ),
            // Another neighbour.
            (
                vec![side(0, false, &[one])],
                vec![side(0, false, &[seen(2, 1, error)])],
                vec![vec![Unchanged]],
                0,
            ),
            // A copy: the file that was there keeps it.
            (
                vec![side(1, false, &[one])],
                vec![side(0, true, &[one]), side(1, false, &[one])],
                vec![vec![New], vec![Unchanged]],
                0,
            ),
            // Moved to another file, whole or with another neighbour.
            (vec![side(0, true, &[one])], vec![side(1, true, &[one])], vec![vec![Unchanged]], 0),
            (
                vec![side(0, true, &[one])],
                vec![side(1, true, &[seen(2, 1, error)])],
                vec![vec![Unchanged]],
                0,
            ),
            // The same words in a file that was there already are not the same finding.
            (vec![side(0, true, &[one])], vec![side(1, false, &[seen(2, 1, error)])], vec![vec![New]], 1),
        ];
        for (at, (then, now, expected, resolved)) in cases.into_iter().enumerate() {
            let (changes, gone) = compare(&then, &now);
            assert_eq!((changes, gone.len()), (expected, resolved), "case {at}");
        }
    }

    #[test]
    fn what_was_forbidden_is_new_when_it_is_given() {
        let given = seen(1, 1, Severity::Error);
        let forbidden = Seen { reported: false, ..given };
        let (changes, gone) = compare(&[side(0, false, &[forbidden])], &[side(0, false, &[given])]);
        assert_eq!((changes, gone), (vec![vec![Change::New]], vec![]));
        let (changes, gone) = compare(&[side(0, false, &[given])], &[side(0, false, &[forbidden])]);
        assert_eq!((changes, gone), (vec![vec![Change::New]], vec![(0, 0)]));
    }
}
