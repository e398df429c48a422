//! A safer command, where the rule's entry says how to write it and the change is one of words.

use std::ops::Range;

use super::{Fix, FixKind, Fixer, TextEdit, titled};
use crate::catalogue::{CommandEntry, Swap};
use crate::text::Source;
use crate::verdict::Finding;

/// How many swaps of an entry are tried, and at how many places each: a project's own entries may have any number.
const SWAPS: usize = 16;
const PLACES: usize = 4;

impl Fixer<'_> {
    /// The command of `finding`, written as its entry says.
    pub(super) fn safer(&self, finding: &Finding) -> Option<Fix> {
        let entry = self.entry(finding)?;
        let span = finding.span;
        let text = self.snapshot.text().slice(span.offset..span.offset + span.length).into_owned();
        let mut swaps = entry.safer.iter().take(SWAPS).filter(|swap| !swap.to.contains(char::is_control));
        swaps.find_map(|swap| {
            swapped(&text, swap).into_iter().take(PLACES).find_map(|(range, with)| {
                let range = span.offset + range.start..span.offset + range.end;
                let title = titled("Write this as the remedy of {} says", finding.rule);
                let edits = vec![TextEdit { range, text: with }];
                self.tried(FixKind::Safer, title, finding, edits)
            })
        })
    }

    /// The entry, of the catalogue or the project's own, that found `finding`.
    fn entry(&self, finding: &Finding) -> Option<&CommandEntry> {
        let pattern = finding.pattern?;
        let own = self.document.rules().own.iter().flat_map(|own| own.commands());
        let mut entries = finding.rule.rule().commands.iter().chain(own);
        entries.find(|entry| entry.id == pattern)
    }
}

/// The places of `text` at which `swap` can be made, and what comes there: a whole word, or a letter in a cluster of
/// options of one letter. Where nothing comes, the white space before the word goes too.
fn swapped(text: &str, swap: &Swap) -> Vec<(Range<usize>, String)> {
    let mut places = Vec::new();
    let letter = swap.from.strip_prefix('-').filter(|letter| letter.len() == 1);
    let mut at = 0;
    for word in text.split([' ', '\t', '\n', '\r']) {
        let range = at..at + word.len();
        at = range.end + 1;
        if word == swap.from {
            places.push(match swap.to.as_str() {
                "" => {
                    let before = text[..range.start].trim_end_matches([' ', '\t']).len();
                    (before..range.end, String::new())
                }
                to => (range, to.to_owned()),
            });
        } else if let Some(letter) = letter
            && let Some(cluster) = word.strip_prefix('-')
            && cluster.len() > 1
            && cluster.bytes().all(|byte| byte.is_ascii_alphabetic())
            && cluster.contains(letter)
        {
            let with = match swap.to.strip_prefix('-').filter(|to| !to.starts_with('-')) {
                Some(to) => cluster.replace(letter, to),
                None => cluster.replace(letter, ""),
            };
            let with = match swap.to.starts_with("--") {
                _ if with.is_empty() => swap.to.clone(),
                true => format!("-{with} {}", swap.to),
                false => format!("-{with}"),
            };
            places.push((range, with));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_is_one_of_words_or_letters() {
        let check = |text: &str, from: &str, to: &str, expected: &[&str]| {
            let swap = Swap { from: from.to_owned(), to: to.to_owned() };
            let written: Vec<String> = swapped(text, &swap)
                .into_iter()
                .map(|(range, with)| format!("{}{with}{}", &text[..range.start], &text[range.end..]))
                .collect();
            assert_eq!(written, expected, "{text} {from} {to}");
        };
        check("tool sub -f x", "-f", "", &["tool sub x"]);
        check("tool sub -af x", "-f", "", &["tool sub -a x"]);
        check("tool sub -fdx x", "-f", "-n", &["tool sub -ndx x"]);
        check("tool sub -uf x", "-f", "--force-with-lease", &["tool sub -u --force-with-lease x"]);
        check("tool  --force", "--force", "", &["tool"]);
        check("tool --force-it -x", "--force", "", &[]);
        check("tool -f -f", "-f", "-n", &["tool -n -f", "tool -f -n"]);
        check("tool delete x", "delete", "delete --dry-run", &["tool delete --dry-run x"]);
        check("tool ünd -f", "-f", "-n", &["tool ünd -n"]);
    }
}
