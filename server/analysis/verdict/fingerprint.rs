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
    let mut part = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(&[VERSION]);
    part(finding.rule.name().as_bytes());
    part(finding.pattern.unwrap_or_default().as_bytes());
    if finding.group != Group::Secret {
        let span = finding.span;
        part(normalised(&source.slice(span.offset..span.offset + span.length)).as_bytes());
    }
    let above = (finding.span.line.saturating_sub(NEAR)..finding.span.line).rev();
    let below = finding.span.end_line + 1..source.line_count().min(finding.span.end_line + 1 + NEAR);
    part(neighbour(above, source).as_bytes());
    part(neighbour(below, source).as_bytes());
    part(&ordinal.to_le_bytes());
    let digest = hasher.finalize();
    digest.iter().take(16).fold(0, |bits, byte| bits << 8 | u128::from(*byte))
}

fn neighbour(mut lines: impl Iterator<Item = usize>, source: &impl Source) -> String {
    lines
        .find_map(|line| Some(normalised(&source.line(line))).filter(|text| !text.is_empty()))
        .unwrap_or_default()
}

fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
