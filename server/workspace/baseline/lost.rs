//! What the base proved forbidden, and what now is only shown.
//!
//! A cue lowers a finding to information. Where that is all that is left of a proof, nobody would be told that the proof
//! is gone: taking a label away exposes its commands to the gate (seed 1, "Explicit prohibited blocks"), whatever heading
//! stands above them. So the gate reads such a command as it would without cues.

use std::collections::HashMap;

use caveat_analysis::Env;
use caveat_analysis::verdict::{Arg, Finding, Message, Stance, Status};

use super::matching::Seen;

/// Makes what is only shown in `text` as grave as it is without cues, where `then`, the findings of the text `before`,
/// have the same words as forbidden and `found` no longer has. `judge` reads `text` again.
pub(super) fn proofs(
    (before, then): (&str, &[Finding]),
    text: &str,
    found: &mut [Finding],
    judge: impl Fn(&dyn Fn(&mut Env)) -> Option<Vec<Finding>>,
) {
    if !found.iter().any(is_shown) || !then.iter().any(is_forbidden) {
        return;
    }
    let count = |text: &str, findings: &[Finding], is: fn(&Finding) -> bool| {
        let mut counts: HashMap<[u8; 32], usize> = HashMap::new();
        for finding in findings.iter().filter(|finding| is(finding)) {
            *counts.entry(Seen::new(finding, text).words()).or_default() += 1;
        }
        counts
    };
    let (was, is) = (count(before, then, is_forbidden), count(text, found, is_forbidden));
    let (showed, shows) = (count(before, then, is_shown), count(text, found, is_shown));
    let of = |counts: &HashMap<[u8; 32], usize>, words| counts.get(words).copied().unwrap_or_default();
    // Of equal words as many as lost their proof, and no more than came to be shown.
    let lost = was.iter().map(|(words, was)| {
        let more = of(&shows, words).saturating_sub(of(&showed, words));
        (*words, was.saturating_sub(of(&is, words)).min(more))
    });
    let mut lost: HashMap<[u8; 32], usize> = lost.filter(|(_, lost)| *lost > 0).collect();
    if lost.is_empty() {
        return;
    }
    let Some(bare) = judge(&|env| env.stance = false) else { return };
    let known: Vec<u128> = then.iter().filter(|one| is_shown(one)).map(|one| one.fingerprint).collect();
    // What was shown before at the same place is the last to be taken for what lost its proof.
    let (old, new): (Vec<&mut Finding>, Vec<&mut Finding>) =
        found.iter_mut().filter(|one| is_shown(one)).partition(|one| known.contains(&one.fingerprint));
    for finding in new.into_iter().chain(old) {
        let Some(left) = lost.get_mut(&Seen::new(finding, text).words()).filter(|left| **left > 0) else {
            continue;
        };
        let same = |one: &&Finding| one.rule == finding.rule && one.span == finding.span;
        let Some(given) = bare.iter().find(same) else { continue };
        *left -= 1;
        finding.severity = given.severity;
        finding.stance = Stance::Given;
        finding.message = Message::new(
            "This {}. At the base it was forbidden; now it is only shown, and that does not count for what was.",
            [Arg::Name(&finding.rule.rule().summary)],
        );
    }
}

fn is_shown(finding: &Finding) -> bool {
    finding.status == Status::Reported && finding.stance == Stance::Shown
}

fn is_forbidden(finding: &Finding) -> bool {
    finding.status == Status::Exempt
}
