//! A finding's name that outlives moves and renames.
//!
//! 128 bits of SHA-256 over the format's version, the rule, the pattern, the finding's text with white space evened out,
//! the nearest lines above and below that are not blank, and an ordinal among equals. A secret's value is left out: a
//! hash of a short value is as good as the value. The path is left out, too: a renamed file keeps its fingerprints.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::Finding;
use crate::catalogue::Group;
use crate::text::Source;

const VERSION: u8 = 1;

/// How many blank lines are passed over in search of a neighbour: a bound, so that a run of blank lines costs nothing.
const NEAR: usize = 8;

/// Gives every finding its fingerprint; `findings` are in order of position.
pub(super) fn assign(findings: &mut [Finding], source: &impl Source) {
    let mut equals: HashMap<u128, u32> = HashMap::new();
    for finding in findings {
        let alone = hash(finding, source, 0);
        let ordinal = equals.entry(alone).or_default();
        finding.fingerprint = if *ordinal == 0 { alone } else { hash(finding, source, *ordinal) };
        *ordinal += 1;
    }
}

fn hash(finding: &Finding, source: &impl Source, ordinal: u32) -> u128 {
    let mut hasher = Sha256::new();
    hasher.update([VERSION]);
    part(&mut hasher, finding.rule.name());
    part(&mut hasher, finding.pattern.unwrap_or_default());
    if finding.group != Group::Secret {
        let span = finding.span;
        part(&mut hasher, &source.slice(span.offset..span.offset + span.length));
    }
    let above = (finding.span.line.saturating_sub(NEAR)..finding.span.line).rev();
    let below = finding.span.end_line + 1..source.line_count().min(finding.span.end_line + 1 + NEAR);
    neighbour(&mut hasher, above, source);
    neighbour(&mut hasher, below, source);
    hasher.update(ordinal.to_le_bytes());
    let digest = hasher.finalize();
    digest.iter().take(16).fold(0, |bits, byte| bits << 8 | u128::from(*byte))
}

/// The first of `lines` that is not blank.
fn neighbour(hasher: &mut Sha256, mut lines: impl Iterator<Item = usize>, source: &impl Source) {
    let found = lines.find_map(|line| Some(source.line(line)).filter(|text| !text.trim().is_empty()));
    part(hasher, found.as_deref().unwrap_or_default());
}

/// The words of `text`, white space between them evened out, and an end that no word contains.
fn part(hasher: &mut Sha256, text: &str) {
    for word in text.split_whitespace() {
        hasher.update(word);
        hasher.update([0xfe]);
    }
    hasher.update([0xff]);
}
