//! Permission rules in a record: what an agent may run, may not run, or has to ask for, by the name of the list they
//! stand in or by what stands beside their pattern.
//!
//! Agents' settings write them in three ways: as a list under `allow` or `deny`, as one string under `allowed-tools`, and
//! as keys whose values decide.

use std::ops::Range;

use super::tree::{NodeId, Tree, What};
use crate::lines::permission_list;

/// What a permission rule lets an agent run unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::facts) enum Lets {
    /// Nothing: it denies, or somebody is asked.
    Nothing,
    /// What its pattern matches.
    Pattern,
    /// Whatever begins with it.
    Prefix,
}

impl Lets {
    /// Of a rule in the list under `key`, which may deny it.
    pub(super) fn under(key: &str, denied: bool) -> Lets {
        let key = key.to_ascii_lowercase();
        match denied || key.starts_with("ask") {
            true => Lets::Nothing,
            false if key.ends_with("commands") => Lets::Prefix,
            false => Lets::Pattern,
        }
    }
}

/// Whether the key of `id` is a pattern of commands, and what stands beside it denies them: `"rm *": "deny"`, or below
/// a setting of what needs no approval `"rm": false`.
pub(super) fn decided(tree: &Tree<'_>, id: NodeId) -> Option<bool> {
    let above = tree.node(id).parent.and_then(|map| tree.key(map)).unwrap_or_default();
    let approves = above.len() >= 11 && above.to_ascii_lowercase().ends_with("autoapprove");
    let value = match &tree.node(id).what {
        What::Scalar(text) => &*text.value,
        What::Map => {
            tree.get(id, "approve").filter(|_| approves).and_then(|id| tree.scalar(id)).map(|t| &*t.value)?
        }
        _ => return None,
    };
    match value {
        "deny" | "denied" => Some(true),
        "allow" if matches!(above, "bash" | "permission" | "permissions") => Some(false),
        "true" | "false" if approves => Some(value == "false"),
        _ => None,
    }
}

/// Whether the rules under `key` are denied; of those under `tools` the form tells that they are rules.
pub(super) fn rule_list(key: &str) -> Option<bool> {
    permission_list(key).or_else(|| key.eq_ignore_ascii_case("tools").then_some(false))
}

/// The rules in `text` that name a command: `Bash(git push:*), Read`, parted by commas or blanks.
pub(super) fn rules(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('(').map(|open| at + open) {
        let name = text[..open].bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
        let close = closing(text, open, [b'(', b')']);
        at = close;
        if name > 0 && text[..close].ends_with(')') {
            found.push(open - name..close);
        }
    }
    found
}

/// The byte behind the one of `marks` that closes the other at `open`, or the text's end.
pub(super) fn closing(text: &str, open: usize, marks: [u8; 2]) -> usize {
    let mut depth = 0_u32;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        if byte == marks[0] {
            depth += 1;
        } else if byte == marks[1] {
            if depth == 1 {
                return at + 1;
            }
            depth -= 1;
        }
    }
    text.len()
}
