//! Sentences that nearly forbid their command ("Do not try `x`", "`x` must not be run"), and what would make them hold.
//!
//! The grammar of what forbids stays closed: nothing here exempts. But who writes such a sentence means it, and has to be
//! told why it does not hold and which form would. So these lists may be wider; what gives a command ("do not hesitate
//! to run `x`") is kept out, because a rewriting would turn it round.

mod order;
mod other;
mod words;

use std::ops::Range;

use super::sentence::{
    CONDITIONS, EXCEPTIONS, Kind, LIMITS, Token, holding, is_plain, lists, sentences, tokens,
};
use super::{
    VERBS, VERBS_ING, bounds_what_was_said, continues, head, is_struck, list, opener, quoted, revokes,
    takes_back,
};

pub(in crate::facts) use words::HEDGES;
use words::{DESTROYS, DONE, FILLERS, HARMFUL, MODALS, STOPPED};

/// Why a sentence that nearly forbids its command does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Miss {
    /// Its head is none of the grammar: "You should never run …".
    Head,
    /// Its verb is none of the grammar: "Do not try …".
    Verb,
    /// Words stand between head and command: "Never run commands like …".
    Between,
    /// Words stand before the head: "As a rule, never run …".
    Before,
    /// The command is what something is said of: "… must not be run".
    Passive,
    /// The ban stands behind the command: "…: never run this".
    Backwards,
    /// It names what to use in the command's place: "Instead of …, use …".
    Alternative,
    /// It asks for leave: "Ask before running …".
    AsksFirst,
    /// It has a condition, or limits place, person or time.
    Condition,
    /// It has an exception word.
    Exception,
    /// More stands behind the command than the grammar has.
    Behind,
    /// The sentence after it takes it back, or bounds it.
    TakenBack,
}

/// A sentence that nearly forbids one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearly {
    /// Its bytes in the unit, without the mark that ends it.
    pub range: Range<usize>,
    /// Why it does not hold.
    pub miss: Miss,
    /// What would make it hold: bytes of the unit, in order, and what comes there. Empty where only its author knows.
    pub edits: Vec<(Range<usize>, String)>,
    /// Nothing of what it says is lost by that.
    pub keeps: bool,
    /// It says no less than a ban does, in other words: it shows the command.
    pub shows: bool,
}

/// Pieces of the longest sentence that is looked at: the work stays bounded where a unit of many commands is one sentence.
const LONGEST: usize = 80;

/// For each of `hits`, the sentence that nearly forbids it. `unit` and `hits` are as for [`bans`](super::bans); what a
/// sentence does forbid has none.
#[must_use]
pub fn nearly(unit: &str, hits: &[Range<usize>]) -> Vec<Option<Nearly>> {
    let tokens = tokens(unit, hits);
    if is_struck(unit) {
        return vec![None; hits.len()];
    }
    let sentences = sentences(unit, &tokens);
    let quoted = quoted(&sentences);
    let revoked = sentences.iter().rposition(revokes);
    let read = |hit: &Range<usize>| {
        let (index, place) = holding(&sentences, hit)?;
        let sentence = &sentences[index];
        if sentence.tokens.len() > LONGEST || sentence.asks() || quoted[index] {
            return None;
        }
        let before = index.checked_sub(1).map(|before| &sentences[before]);
        if !sentence.tokens[0].is_code() && continues(unit, before, sentence) {
            return None;
        }
        let mut nearly = Reader { unit, tokens: sentence.tokens, place }.read()?;
        let revoked = revoked.is_some_and(|revoked| revoked > index);
        let back = revoked
            || sentences
                .get(index + 1)
                .is_some_and(|next| takes_back(next) || bounds_what_was_said(sentence, next));
        match (nearly.miss, back) {
            (Some(_), false) => {}
            (None, false) => return None,
            (_, true) => {
                (nearly.miss, nearly.edits, nearly.shows) = (Some(Miss::TakenBack), Vec::new(), false);
            }
        }
        let last = sentence.tokens.iter().rfind(|token| !is_stop(token))?;
        let range = sentence.tokens.first()?.range.start..last.range.end;
        let Draft { miss, edits, keeps, shows } = nearly;
        let miss = miss?;
        let bounded = matches!(miss, Miss::Condition | Miss::Exception | Miss::TakenBack | Miss::AsksFirst);
        let shows = !bounded && (shows || (keeps && !edits.is_empty())) && is_plain(unit);
        Some(Nearly { range, miss, edits, keeps, shows })
    };
    hits.iter().map(read).collect()
}

fn is_stop(token: &Token) -> bool {
    token.is('.') || token.is('!') || token.is(';')
}

/// What was made out of a sentence so far.
struct Draft {
    miss: Option<Miss>,
    edits: Vec<(Range<usize>, String)>,
    keeps: bool,
    shows: bool,
}

impl Draft {
    fn of(miss: Miss, edits: Vec<(Range<usize>, String)>) -> Draft {
        Draft { miss: Some(miss), edits, keeps: true, shows: false }
    }

    /// One that says as much as a ban does.
    fn shown(miss: Miss, edits: Vec<(Range<usize>, String)>) -> Draft {
        Draft { shows: true, ..Draft::of(miss, edits) }
    }
}

/// A sentence, and the piece of it that is or holds the command.
struct Reader<'a> {
    unit: &'a str,
    tokens: &'a [Token<'a>],
    place: usize,
}

impl Reader<'_> {
    fn read(&self) -> Option<Draft> {
        let before = &self.tokens[..self.place];
        let hedged = (0..before.len()).any(|at| before[at].is_in(&HEDGES) && !self.skips_checks(at));
        if hedged {
            return None;
        }
        let draft = self
            .asks_first()
            .or_else(|| self.alternative())
            .or_else(|| self.passive())
            .or_else(|| self.backwards())
            .or_else(|| self.no())
            .or_else(|| self.other())
            .or_else(|| self.order())?;
        let bounds = |words: &[&str]| self.tokens.iter().any(|token| token.is_in(words));
        let exception = bounds(&EXCEPTIONS) && draft.miss != Some(Miss::AsksFirst);
        Some(match draft {
            draft if exception => Draft { miss: Some(Miss::Exception), keeps: false, ..draft },
            draft => draft,
        })
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", Token::word)
    }

    fn bytes(&self, pieces: Range<usize>) -> Range<usize> {
        self.tokens[pieces.start].range.start..self.tokens[pieces.end - 1].range.end
    }

    /// "Never" as it is written where piece `at` stands: a capital for a capital.
    fn never(&self, at: usize, rest: &str) -> String {
        let capital = self.unit[self.tokens[at].range.start..].starts_with(char::is_uppercase);
        format!("{}{rest}", if capital { "Never" } else { "never" })
    }

    /// The edit that puts `text` where the pieces stand; none where emphasis begins or ends among them.
    fn put(&self, range: Range<usize>, text: String) -> Vec<(Range<usize>, String)> {
        if self.unit[range.clone()].contains(['*', '_']) { Vec::new() } else { vec![(range, text)] }
    }

    /// The edit that puts `text` for all from piece `from` to the command.
    fn in_front(&self, from: usize, text: &str) -> Vec<(Range<usize>, String)> {
        let start = self.tokens[from].range.start;
        let text = if from == self.place { format!("Never{text}") } else { self.never(from, text) };
        self.put(start..self.tokens[self.place].range.start, text)
    }

    /// "Ask before running `x`", "`x` needs approval".
    fn asks_first(&self) -> Option<Draft> {
        const ASKED: [&str; 10] = [
            "ask",
            "asks",
            "asking",
            "confirm",
            "confirmation",
            "approval",
            "permission",
            "consent",
            "sign-off",
            "authorization",
        ];
        let mut at = self.place;
        while at > 0 && (self.tokens[at - 1].is_in(&VERBS_ING) || self.tokens[at - 1].is_in(&["the"])) {
            at -= 1;
        }
        let asked = |tokens: &[Token]| tokens.iter().any(|token| token.is_in(&ASKED));
        let (before, after) = (&self.tokens[..at], &self.tokens[self.place + 1..]);
        let prior = before.last().is_some_and(|token| token.is_in(&["before"]))
            || matches!(before, [.., prior, to] if prior.is_in(&["prior"]) && to.is_in(&["to"]));
        let needs = after.first().is_some_and(|token| token.is_in(&["needs", "requires", "need", "require"]));
        let asks = (prior && asked(before)) || (needs && at == 0 && asked(after));
        asks.then(|| Draft::of(Miss::AsksFirst, Vec::new()))
    }

    /// "Instead of `x`, use `y`", "Use `y` instead of `x`".
    fn alternative(&self) -> Option<Draft> {
        let mut at = self.place;
        at -= usize::from(at > 0 && self.tokens[at - 1].is_in(&VERBS_ING));
        let two = |a: &str, b: &str| at >= 2 && self.word(at - 2) == a && self.word(at - 1) == b;
        if !(two("instead", "of") || two("rather", "than")) {
            return None;
        }
        let from = at - 2;
        let code = self.tokens[self.place].range.clone();
        if from == opener(self.tokens) {
            let mut edits = self.in_front(from, " run ");
            if let Some(next) = self.tokens.get(self.place + 1).filter(|_| !edits.is_empty()) {
                match next.is(',') {
                    true => edits.push((next.range.clone(), ":".to_owned())),
                    false => edits.push((code.end..code.end, ":".to_owned())),
                }
            }
            return Some(Draft::shown(Miss::Alternative, edits));
        }
        let first = opener(self.tokens);
        let uses = self.tokens.get(first).is_some_and(|token| token.is_in(&["use", "prefer", "run"]));
        let edits = match uses && first + 1 < from {
            false => Vec::new(),
            true => {
                let whole = self.tokens[first].range.start..code.end;
                let verb = self.word(first);
                let other = &self.unit[self.bytes(first + 1..from)];
                let never = self.never(first, " run ");
                self.put(whole, format!("{never}{}: {verb} {other}", &self.unit[code.clone()]))
            }
        };
        Some(Draft::shown(Miss::Alternative, edits))
    }

    /// "`x` must not be run", "`x` is forbidden".
    fn passive(&self) -> Option<Draft> {
        let first = opener(self.tokens);
        let subject: Vec<&str> = self.tokens.get(first..self.place)?.iter().map(Token::word).collect();
        if !matches!(
            subject.as_slice(),
            [] | ["the"] | ["the", "command"] | ["running" | "using"] | ["the", "use", "of"]
        ) {
            return None;
        }
        let after = self.place + 1;
        let word = |at: usize| self.word(after + at);
        let len = match (word(0), word(1), word(2), word(3)) {
            (modal, "not" | "never", "be", done) if lists(&MODALS, modal) && lists(&DONE, done) => 4,
            ("is" | "are", "not" | "never", "to", "be") if lists(&DONE, word(4)) => 5,
            ("cannot" | "can't" | "shouldn't" | "mustn't" | "won't", "be", done, _) if lists(&DONE, done) => {
                3
            }
            ("is" | "are", "not" | "never", "allowed" | "permitted" | "ok" | "okay", _) => 3,
            ("is" | "are", "strictly" | "always", stopped, _) if lists(&STOPPED, stopped) => 3,
            ("is" | "are", stopped, _, _) if lists(&STOPPED, stopped) => 2,
            ("is" | "are", "never" | "not", "acceptable", _) => 3,
            ("is" | "are", harmful, _, _) if lists(&HARMFUL, harmful) => 2,
            _ => return None,
        };
        let mut edits = self.in_front(first, " run ");
        if !edits.is_empty() {
            let code = self.tokens[self.place].range.end;
            edits.push((code..self.tokens[after + len - 1].range.end, String::new()));
        }
        let (bound, cut) = self.behind(after + len);
        let draft = match bound {
            None => Draft::shown(Miss::Passive, edits),
            Some(_) => Draft { keeps: false, ..Draft::of(Miss::Passive, edits) },
        };
        Some(match bound {
            Some(Miss::Condition) => {
                let mut edits = draft.edits;
                edits.extend(cut.filter(|_| !edits.is_empty()));
                Draft { edits, keeps: false, ..Draft::of(Miss::Condition, Vec::new()) }
            }
            _ => draft,
        })
    }

    /// "`x`: never run this", "`x` - forbidden".
    fn backwards(&self) -> Option<Draft> {
        let command = &self.tokens[self.place];
        let mark = self.tokens.get(self.place + 1)?;
        if opener(self.tokens) != self.place || !(mark.is(':') || mark.is_dash()) {
            return None;
        }
        let mut at = self.place + 2;
        at += usize::from(mark.is('-') && self.tokens.get(at)?.is('-'));
        let turned_away = ["blocked", "rejected", "denied", "refused"];
        if lists(&STOPPED, self.word(at)) || lists(&turned_away, self.word(at)) {
            at += 1;
            // "rejected by the hook"
            if self.word(at) == "by" {
                let by = self.tokens[at..].iter().take_while(|token| !token.word().is_empty()).count();
                at += if by <= 5 { by } else { 0 };
            }
        } else {
            let (after, ing) = head(self.tokens, at)?;
            at = after;
            at += usize::from((if ing { &VERBS_ING } else { &VERBS }).contains(&self.word(at)));
            at += usize::from(matches!(self.word(at), "this" | "it" | "that"));
        }
        let (bound, cut) = self.behind(at);
        match bound {
            Some(Miss::Condition) => Some(Draft { keeps: false, ..Draft::of(Miss::Condition, Vec::new()) }),
            Some(_) if cut.is_none_or(|(_, text)| text.is_empty()) => None,
            Some(_) => Some(Draft::of(Miss::Backwards, Vec::new())),
            None => {
                let start = command.range.start;
                let gone = self.put(command.range.end..self.tokens[at - 1].range.end, String::new());
                let mut edits = Vec::new();
                if command.kind != Kind::Bare && !gone.is_empty() && is_plain(self.unit) {
                    edits.push((start..start, "Never run ".to_owned()));
                    edits.extend(gone);
                }
                Some(Draft::shown(Miss::Backwards, edits))
            }
        }
    }

    /// "No `x`!", "No more `x` here."
    fn no(&self) -> Option<Draft> {
        let first = opener(self.tokens);
        if first >= self.place || self.word(first) != "no" {
            return None;
        }
        let start = first + 1 + usize::from(matches!(self.word(first + 1), "more" | "running" | "using"));
        let listed = list(self.unit, self.tokens, start);
        let rest = match listed {
            Some((_, rest)) if (start..rest).contains(&self.place) => rest,
            _ => return None,
        };
        let mut edits = match is_plain(self.unit) {
            true => self.put(self.bytes(first..start), self.never(first, " run")),
            false => Vec::new(),
        };
        let (bound, edit) = self.behind(rest);
        let narrows = bound == Some(Miss::Condition);
        // "No `x` needed" says nothing of the kind.
        if bound.is_some() && !narrows && edit.as_ref().is_none_or(|(_, text)| text != ":") {
            return None;
        }
        if bound.is_some() && (edit.is_none() || edits.is_empty()) {
            edits.clear();
        } else {
            edits.extend(edit);
        }
        let miss = if narrows { Miss::Condition } else { Miss::Head };
        Some(Draft { keeps: !narrows, ..Draft::of(miss, edits) })
    }

    /// Whether `words`, which stand between head and command, say what the command does: "Never force-push: `x`",
    /// "Never drop the database with `x`". `Some(true)`: they say no more than the command itself.
    fn says_what_it_does(&self, words: &[Token]) -> Option<bool> {
        let (joint, inner) = words.split_last()?;
        let joins =
            joint.is(':') || joint.is('(') || joint.is_dash() || joint.is_in(&["with", "using", "via"]);
        let command = self.unit[self.tokens[self.place].range.clone()].to_ascii_lowercase();
        let is_own = |word: &str| command.split(|c: char| !c.is_alphanumeric()).any(|known| known == word);
        let same = |word: &str| is_own(word) || lists(&DESTROYS, word);
        let same = |token: &Token| !token.word().is_empty() && token.word().split('-').all(same);
        let bounds = |token: &Token| {
            let word = token.word();
            word.is_empty()
                || token.is_in(&LIMITS)
                || token.is_in(&CONDITIONS)
                || token.is_in(&VERBS)
                || token.is_in(&VERBS_ING)
                || matches!(word, "not" | "never" | "no" | "and" | "then" | "or")
        };
        if !joins || inner.len() > 6 || !same(inner.first()?) || inner.iter().any(bounds) {
            return None;
        }
        Some(inner.iter().all(|token| same(token) || token.is_in(&FILLERS)))
    }
}
