//! Permission rules in a record: what an agent may run, may not run, or has to ask for, by the name of the list they
//! stand in or by what stands beside their pattern.
//!
//! Agents' settings write them in three ways: as a list under `allow` or `deny`, as one string under `allowed-tools`, and
//! as keys whose values decide.

use std::ops::Range;

use super::meaning::{Part, Reading, Stretch, Walk};
use super::tree::{NodeId, Text, What};
use crate::facts::view::Mapped;
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

impl<'a> Walk<'_, 'a> {
    /// Whether the key of `id` is a pattern of commands, and what stands beside it denies them: `"rm *": "deny"`, or below
    /// a setting of what needs no approval `"rm": false`.
    pub(super) fn decided(&self, id: NodeId) -> Option<bool> {
        let tree = self.tree;
        let above = tree.node(id).parent.and_then(|map| tree.key(map)).unwrap_or_default();
        let approves = above.len() >= 11 && above.to_ascii_lowercase().ends_with("autoapprove");
        let value = match &tree.node(id).what {
            What::Scalar(text) => &*text.value,
            What::Map => tree
                .get(id, "approve")
                .filter(|_| approves)
                .and_then(|id| tree.scalar(id))
                .map(|t| &*t.value)?,
            _ => return None,
        };
        match value {
            "deny" | "denied" => Some(true),
            "allow" if matches!(above, "bash" | "permission" | "permissions") => Some(false),
            "true" | "false" if approves => Some(value == "false"),
            _ => None,
        }
    }

    /// A list of permission rules that is written as one string: `allowed-tools: Bash(git status), Read`.
    pub(super) fn rules_in(&mut self, id: NodeId, text: &Text<'a>) {
        let Some(denied) = self.tree.key(id).and_then(rule_list) else { return };
        for rule in rules(&text.value) {
            let mut mapped = Mapped::new();
            text.append_part(rule, &mut mapped);
            let text = Part::Many(Text::mapped(mapped));
            let lets = Lets::under(self.tree.key(id).unwrap_or_default(), denied);
            self.found.push(Stretch::new(text, id, Reading::Rule { denied, lets }));
        }
    }

    /// Whether the string `id` is an entry of a list of commands below a key that denies (`deny = { commands = [...] }`), or
    /// the pattern of an entry of a list that does (`blocked: [{ pattern: ... }]`).
    pub(super) fn is_denied_below(&self, id: NodeId) -> bool {
        let parent = |id: NodeId| self.tree.node(id).parent;
        let denies = |id: NodeId| self.tree.key(id).and_then(permission_list) == Some(true);
        let is = |id: NodeId, what: &str| match what {
            "list" => matches!(self.tree.node(id).what, What::List),
            _ => matches!(self.tree.node(id).what, What::Map),
        };
        let named = |id: NodeId, names: &[&str]| {
            self.tree.key(id).is_some_and(|key| names.iter().any(|name| key.eq_ignore_ascii_case(name)))
        };
        let Some(above) = parent(id) else { return false };
        let Some(further) = parent(above) else { return false };
        (is(above, "list")
            && is(further, "map")
            && named(above, &["commands", "patterns"])
            && denies(further))
            || (is(above, "map")
                && is(further, "list")
                && named(id, &["pattern", "regex", "glob", "match"])
                && denies(further))
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
