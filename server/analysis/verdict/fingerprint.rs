//! A finding's name that outlives moves and renames.
//!
//! 128 bits of SHA-256 over the format's version, the rule, the pattern, the finding's text with white space evened out,
//! the nearest lines above and below that are not blank, and an ordinal among equals. A secret's value is left out: a
//! hash of a short value is as good as the value. The path is left out, too: a renamed file keeps its fingerprints.

use std::collections::HashMap;
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};

use super::Finding;
use crate::catalogue::Group;
use crate::text::Source;

const VERSION: u8 = 1;

/// How many blank lines are passed over in search of a neighbour: a bound, so that a run of blank lines costs nothing.
const NEAR: usize = 8;

/// Gives every finding its fingerprint; `findings` are in order of position.
pub(super) fn assign(findings: &mut [Finding], source: &impl Source) {
    let mut equals: HashMap<[u8; 32], u32> = HashMap::new();
    let mut around = Around::default();
    for finding in findings {
        around.read(finding, source);
        let alone = around.hash(finding);
        let ordinal = equals.entry(alone).or_default();
        let digest = if *ordinal == 0 {
            alone
        } else {
            Sha256::new().chain_update(alone).chain_update(ordinal.to_le_bytes()).finalize().into()
        };
        *ordinal += 1;
        finding.fingerprint = digest.iter().take(16).fold(0, |bits, byte| bits << 8 | u128::from(*byte));
    }
}

/// A finding's text and its neighbours, read in one walk.
#[derive(Default)]
struct Around {
    above: String,
    text: String,
    below: String,
}

impl Around {
    fn read(&mut self, finding: &Finding, source: &impl Source) {
        let Around { above, text, below } = self;
        above.clear();
        text.clear();
        below.clear();
        let span = finding.span;
        let end = source.line_count().min(span.end_line + 1 + NEAR);
        source.walk_lines(span.line.saturating_sub(NEAR)..end, &mut |line, content| {
            if (span.line..=span.end_line).contains(&line) {
                let first = if line == span.line { span.column } else { 0 };
                let last = if line == span.end_line { span.end_column } else { content.len() };
                text.push_str(content.get(first..last).unwrap_or_default());
                text.push('\n');
            } else if !content.trim().is_empty() {
                let neighbour = if line < span.line { &mut *above } else { &mut *below };
                neighbour.clear();
                neighbour.push_str(content);
                if line > span.end_line {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
    }

    fn hash(&self, finding: &Finding) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update([VERSION]);
        part(&mut hasher, finding.rule.name());
        part(&mut hasher, finding.pattern.unwrap_or_default());
        if finding.group != Group::Secret {
            part(&mut hasher, &self.text);
        }
        part(&mut hasher, &self.above);
        part(&mut hasher, &self.below);
        hasher.finalize().into()
    }
}

/// The words of `text`, white space between them evened out, and an end that no word contains.
fn part(hasher: &mut Sha256, text: &str) {
    for word in text.split_whitespace() {
        hasher.update(word);
        hasher.update([0xfe]);
    }
    hasher.update([0xff]);
}
