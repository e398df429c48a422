//! An order not to run the command, in other words than those of the grammar, or with more behind it.

use std::ops::Range;

use super::words::{FILLERS, MODALS, NARROWER, SUGGESTS, TRY};
use super::{Draft, Miss, Reader, is_stop};
use crate::facts::ban::sentence::{CONDITIONS, Kind, LIMITS, Token, is_plain, tokens};
use crate::facts::ban::{SUBJECTS, VERBS, VERBS_ING, ends, head, is_bare_command, is_of_all, list, opener};

impl Reader<'_> {
    /// "Do not try `x`", "You should never run `x`", "Never run `x` on main".
    pub(super) fn order(&self) -> Option<Draft> {
        let (at, after, ing, known) = (0..self.place).find_map(|at| {
            let other = self.other_head(at).map(|(after, ing)| (at, after, ing, false));
            other.or_else(|| head(self.tokens, at).map(|(after, ing)| (at, after, ing, true)))
        })?;
        if after > self.place {
            return None;
        }
        let mut edits = Vec::new();
        let mut miss = None;
        let mut keeps = true;
        let mut shows = true;
        // Before the head: who is told, or more.
        let first = opener(self.tokens);
        let told = SUBJECTS.iter().any(|subject| {
            let end = first + subject.len();
            end == at && subject.iter().enumerate().all(|(i, word)| self.word(first + i) == *word)
        });
        let bounded =
            |tokens: &[Token]| tokens.iter().any(|token| token.is_in(&LIMITS) || token.is_in(&CONDITIONS));
        let mut mendable = true;
        if at != first && !(told && known && matches!(self.word(at), "must" | "do" | "don't")) {
            if !told && self.names_reader(first, at) {
                miss = Some(Miss::Head);
                let edit = self.put(self.bytes(first..after), self.never(first, ""));
                mendable = !edit.is_empty();
                edits.extend(edit);
            } else if !told {
                let before = self.tokens.get(first.min(at)..at)?;
                shows = self.is_set_off(at);
                miss = Some(if bounded(before) && !shows { Miss::Condition } else { Miss::Before });
                mendable = false;
            } else {
                miss = Some(Miss::Head);
            }
        }
        if edits.is_empty() && (miss == Some(Miss::Head) || !known) {
            miss = miss.or(Some(Miss::Head));
            let from = if told { first } else { at };
            let edit = self.put(self.bytes(from..after), self.never(from, ""));
            mendable &= !edit.is_empty();
            edits.extend(edit);
        }
        // Between head and command.
        if !self.is_between(after, ing) {
            let words = &self.tokens[after..self.place];
            let fits = |token: &Token| {
                let verb = token.is_in(&VERBS) || token.is_in(&VERBS_ING);
                verb || token.is_in(&TRY)
                    || token.is_in(&SUGGESTS)
                    || token.is_in(&FILLERS)
                    || token.is_quote()
            };
            if words.is_empty() {
                return None;
            }
            let kind = self.names_kind(words);
            if !kind && !words.iter().all(fits) {
                let same = self.says_what_it_does(words)?;
                mendable &= same;
                shows &= same;
                keeps = false;
            } else if kind {
                (mendable, keeps) = (false, false);
            }
            let tries = words.iter().any(|token| token.is_in(&TRY));
            miss = miss.or(Some(if tries { Miss::Verb } else { Miss::Between }));
            keeps &= !words.iter().any(|token| token.is_in(&NARROWER) || token.is_in(&SUGGESTS));
            shows &= !words.iter().any(|token| token.is_in(&NARROWER) && !token.is_in(&SUGGESTS));
            let verb = if ing && known { "running " } else { "run " };
            let gap = self.tokens[after].range.start..self.tokens[self.place].range.start;
            let edit = self.put(gap, verb.to_owned());
            mendable &= !edit.is_empty();
            edits.extend(edit);
        } else if !known && ing {
            // "Refrain from using" became "Never using".
            let gap = self.tokens[after].range.start..self.tokens[self.place].range.start;
            let edit = self.put(gap, "run ".to_owned());
            mendable &= !edit.is_empty();
            edits.extend(edit);
        }
        // Behind it.
        let command = &self.tokens[self.place];
        if command.kind == Kind::Bare && !is_bare_command(&self.unit[command.range.clone()]) {
            let words = tokens(&self.unit[command.range.clone()], &[]);
            miss = Some(if bounded(&words) { Miss::Condition } else { miss.unwrap_or(Miss::Behind) });
            mendable = false;
            shows = false;
        }
        let quoted = usize::from(self.place > 0 && self.tokens[self.place - 1].is_quote());
        let rest = list(self.unit, self.tokens, self.place - quoted).map_or(self.place + 1, |(_, rest)| rest);
        let (bound, edit) = self.behind(rest);
        if let Some(bound) = bound {
            let comma = |range: &Range<usize>| self.unit.get(range.clone()) == Some(",");
            let whole = edit.as_ref().is_some_and(|(range, text)| text == ":" || comma(range));
            keeps &= whole;
            shows &= whole || (bound != Miss::Condition && self.says_no_less(rest));
            miss = if bound == Miss::Condition { Some(bound) } else { miss.or(Some(bound)) };
            mendable &= edit.is_some();
            edits.extend(edit);
        }
        if !mendable || !is_plain(self.unit) {
            edits.clear();
        }
        Some(Draft { miss, edits, keeps, shows })
    }

    /// Whether what stands between the head, which ends before piece `at`, and the command is as in the grammar.
    fn is_between(&self, at: usize, ing: bool) -> bool {
        let mut at = at;
        at += usize::from(self.tokens[at].is_in(if ing { &VERBS_ING } else { &VERBS }));
        if self.word(at) == "the" && matches!(self.word(at + 1), "command" | "commands") {
            at += 2;
        }
        // Of several commands, this one may be any.
        at == self.place
            || list(self.unit, self.tokens, at).is_some_and(|(_, rest)| (at..rest).contains(&self.place))
    }

    /// A head that is none of the grammar, from piece `at` on: the piece after it, and whether an `-ing` form follows.
    fn other_head(&self, at: usize) -> Option<(usize, bool)> {
        match (self.word(at), self.word(at + 1)) {
            ("never", _) if self.tokens[at + 1].is(',') && self.word(at + 2) == "ever" => {
                Some((at + 3, false))
            }
            // "Never, under any circumstances, run"
            ("never", _)
                if self.tokens[at + 1].is(',')
                    && is_of_all(&self.tokens[at + 2..])
                    && self.tokens.get(at + 5).is_some_and(|token| token.is(',')) =>
            {
                Some((at + 6, false))
            }
            (modal, "not" | "never") if MODALS.contains(&modal) && modal != "must" => Some((at + 2, false)),
            ("cannot" | "can't" | "shouldn't" | "mustn't" | "won't" | "dont", _) => Some((at + 1, false)),
            ("refrain", "from") => Some((at + 2, true)),
            ("stay", "away") if self.word(at + 2) == "from" => Some((at + 3, true)),
            ("nobody" | "no-one", modal) if MODALS.contains(&modal) => Some((at + 2, false)),
            ("no", "one") if MODALS.contains(&self.word(at + 2)) => Some((at + 3, false)),
            ("under", "no") if self.word(at + 2).starts_with("circumstance") => Some((at + 3, false)),
            ("is" | "are" | "it's", _) => {
                self.forbidden_to(at).map(|after| (after, self.word(after - 1) == "from"))
            }
            ("stop", _) => Some((at + 1, true)),
            _ => None,
        }
    }

    /// What is wrong with what stands from piece `at` on, behind the commands, and an edit that mends that.
    pub(super) fn behind(&self, at: usize) -> (Option<Miss>, Option<(Range<usize>, String)>) {
        if ends(self.unit, self.tokens, at) {
            return (None, None);
        }
        let rest = &self.tokens[at..];
        // "Never run `x`, ever": but for the comma it is an end.
        if let [comma, next, ..] = rest
            && comma.is(',')
            && next.is_in(&["here", "ever", "again", "at", "under"])
            && ends(self.unit, self.tokens, at + 1)
        {
            return (Some(Miss::Behind), Some((comma.range.clone(), String::new())));
        }
        let bounds = |at: usize| {
            let token = &rest[at];
            (token.is_in(&LIMITS) && !is_of_all(&rest[at..]))
                || token.is_in(&CONDITIONS)
                || token.is_in(&["yet"])
        };
        // A reason may speak of places and times; what bounds stands first, or right behind a comma.
        let reason = rest.iter().position(|token| token.is(':') || token.is_dash()).unwrap_or(rest.len());
        let bounded = (0..reason).any(bounds);
        if rest.first().is_some_and(|token| token.is(','))
            && rest.get(1).is_some_and(|token| matches!(token.kind, Kind::Word(_)))
            && !rest[1].is_in(&["and", "or", "nor", "then", "so", "instead", "use", "run"])
            && !bounded
        {
            return (Some(Miss::Behind), Some((rest[0].range.clone(), ":".to_owned())));
        }
        let last = rest.iter().rfind(|token| !is_stop(token));
        let cut = last.map(|last| (self.tokens[at - 1].range.end..last.range.end, String::new()));
        let cut = cut.filter(|(range, _)| !self.unit[range.clone()].contains(['*', '_', '`']));
        (Some(if bounded { Miss::Condition } else { Miss::Behind }), cut)
    }
}
