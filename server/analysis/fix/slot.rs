//! Where in a suppression a caret stands, and what may be written there.

use std::ops::Range;

use crate::catalogue::{Catalogue, RuleId};
use crate::facts::allow::Comment;

/// What may stand at a caret inside a suppression. `range` is what was begun already, in bytes of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The comment's first word.
    Word {
        /// What was begun.
        range: Range<usize>,
    },
    /// A rule; `taken` are named already.
    Rule {
        /// What was begun.
        range: Range<usize>,
        /// The rules before it.
        taken: Vec<RuleId>,
    },
    /// `expires=` and the rest.
    Expires {
        /// What was begun.
        range: Range<usize>,
    },
    /// The last day, behind `expires=`.
    Day {
        /// What was begun.
        range: Range<usize>,
    },
    /// `reason=` and the reason.
    Reason {
        /// What was begun.
        range: Range<usize>,
    },
}

const WORDS: [&str; 2] = ["caveat-allow", "caveat-allow-file"];

/// The place at the end of `before`: a line up to the caret, of which the comment begins at or behind the byte `content`.
/// `None` where it is no place in a suppression, or one where only its author knows what to write.
#[must_use]
pub fn slot(before: &str, content: usize, comment: Comment) -> Option<Slot> {
    let open = match comment {
        Comment::Html => "<!--",
        Comment::Hash => "#",
    };
    let blank = |at: usize| at + before[at..].len() - before[at..].trim_start_matches([' ', '\t']).len();
    let start = blank(content.min(before.len()));
    let word = blank(start + before.get(start..)?.strip_prefix(open).map(|_| open.len())?);
    let end = before[word..].find([' ', '\t']).map_or(before.len(), |len| word + len);
    let first = &before[word..end];
    if end == before.len() {
        // A hash alone is a comment like any other.
        let begun = first.len() > 1 || comment == Comment::Html;
        let fits = begun && WORDS.iter().any(|known| known.starts_with(first));
        return fits.then_some(Slot::Word { range: word..end });
    }
    if !WORDS.contains(&first) {
        return None;
    }
    let last = before.rfind([' ', '\t']).map_or(before.len(), |at| at + 1);
    let rest = &before[end..];
    if rest.contains("reason=") || rest.contains("--") {
        return None;
    }
    if let Some(at) = rest.find("expires=") {
        let day = end + at + "expires=".len();
        return Some(match before[day..].contains([' ', '\t']) {
            true => Slot::Reason { range: last..before.len() },
            false => Slot::Day { range: day..before.len() },
        });
    }
    let piece = rest.rfind(',').map_or(end, |at| end + at + 1);
    let name = blank(piece);
    if before[name..].contains([' ', '\t']) {
        return Some(Slot::Expires { range: last..before.len() });
    }
    let named = before[end..piece].split(',').map(str::trim);
    let taken = named.filter_map(|name| Catalogue::get().by_name(name)).collect();
    Some(Slot::Rule { range: name..before.len(), taken })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_place() {
        let check = |before: &str, expected: &str| {
            let told = match slot(before, 0, Comment::Html) {
                None => "none".to_owned(),
                Some(Slot::Word { range }) => format!("word {}", &before[range]),
                Some(Slot::Rule { range, taken }) => format!("rule {} {}", &before[range], taken.len()),
                Some(Slot::Expires { range }) => format!("expires {}", &before[range]),
                Some(Slot::Day { range }) => format!("day {}", &before[range]),
                Some(Slot::Reason { range }) => format!("reason {}", &before[range]),
            };
            assert_eq!(told, expected, "{before}");
        };
        check("", "none");
        check("<!-", "none");
        check("  <!--", "word ");
        check("<!-- cav", "word cav");
        check("<!-- caveat-allow-file", "word caveat-allow-file");
        check("<!-- note", "none");
        check("<!-- note rm", "none");
        check("<!-- caveat-allow ", "rule  0");
        check("<!-- caveat-allow rm", "rule rm 0");
        check("<!-- caveat-allow rm-rf,", "rule  1");
        check("<!-- caveat-allow-file rm-rf, sudo,\tx", "rule x 2");
        check("<!-- caveat-allow rm-rf ", "expires ");
        check("<!-- caveat-allow rm-rf, sudo exp", "expires exp");
        check("<!-- caveat-allow rm-rf expires=", "day ");
        check("<!-- caveat-allow rm-rf expires=20", "day 20");
        check("<!-- caveat-allow rm-rf expires=2026-08-30 ", "reason ");
        check("<!-- caveat-allow rm-rf expires=2026-08-30 rea", "reason rea");
        check("<!-- caveat-allow rm-rf expires=2026-08-30 reason=\"w", "none");
        check("<!-- caveat-allow rm-rf --> ", "none");
        assert_eq!(slot("# c", 0, Comment::Hash), None);
        assert_eq!(slot("# ca", 0, Comment::Hash), Some(Slot::Word { range: 2..4 }));
        assert_eq!(slot("> <!-- ca", 2, Comment::Html), Some(Slot::Word { range: 7..9 }));
    }
}
