//! Bans in other forms than an order with "never": "Refuse to run `x`", "Prefer `y` over `x`", "`x` (forbidden)"; and what
//! may stand before and behind a ban and leave it whole.

use super::words::{HARMFUL, KIND_VERBS, KINDS, READERS, REFUSED, REFUSES, STOPPED, TARGETS, UNDONE};
use super::{Draft, Miss, Reader, is_stop};
use crate::facts::ban::back::EXPLAINS;
use crate::facts::ban::sentence::{CONDITIONS, EXCEPTIONS, Kind, LIMITS, Token, lists};
use crate::facts::ban::{LEADS, ends, is_of_all, list, opener};

impl Reader<'_> {
    /// The forms that show their command and that only their author can rewrite.
    pub(super) fn other(&self) -> Option<Draft> {
        let shows = self.refuses() || self.declines() || self.prefers() || self.aside() || self.looks_for();
        shows.then(|| Draft { keeps: false, ..Draft::shown(Miss::Head, Vec::new()) })
    }

    /// Whether nothing stands behind the list of commands that the one at hand belongs to but what ends it, and perhaps
    /// where it would be seen: "in reviews".
    fn ends_behind_list(&self) -> bool {
        const SEEN: [&str; 16] = [
            "in",
            "reviews",
            "review",
            "code",
            "the",
            "diff",
            "diffs",
            "pull",
            "requests",
            "prs",
            "workflows",
            "history",
            "log",
            "logs",
            "scripts",
            "shell",
        ];
        let quoted = usize::from(self.place > 0 && self.tokens[self.place - 1].is_quote());
        let rest = list(self.unit, self.tokens, self.place - quoted).map_or(self.place + 1, |(_, rest)| rest);
        let seen = self.tokens[rest..].iter().take_while(|token| token.is_in(&SEEN)).count();
        let seen = if seen > 1 { seen } else { 0 };
        ends(self.unit, self.tokens, rest + seen)
    }

    /// "Refuse to run `x`", "CI rejects `x`", "Block pull requests that contain `x`".
    fn refuses(&self) -> bool {
        let first = opener(self.tokens);
        let Some(before) = self.tokens.get(first..self.place) else { return false };
        let Some(verb) = before.iter().take(4).position(|token| token.is_in(&REFUSES)) else { return false };
        let third = before[verb].word().ends_with('s');
        let subject = &before[..verb];
        let guards = ["ci", "the", "branch", "protection", "pipeline", "hook", "server", "gateway", "policy"];
        let subject = if third {
            !subject.is_empty() && subject.iter().all(|token| token.is_in(&guards))
        } else {
            subject.is_empty()
        };
        let between = &before[verb + 1..];
        // Behind a first command only others may follow: "Refuse `y`, run `x`" runs one.
        let named = between.iter().position(Token::is_code).unwrap_or(between.len());
        let (kind, listed) = between.split_at(named);
        let between = kind.iter().all(|token| token.is_in(&REFUSED) || token.is(',') || token.is_quote())
            && listed.iter().all(|token| {
                token.is_code() || token.is(',') || token.is_quote() || token.is_in(&["or", "and", "nor"])
            });
        subject && between && self.ends_behind_list()
    }

    /// "If asked to run `x`, refuse."
    fn declines(&self) -> bool {
        let opens = self.tokens[0].is_in(&["if", "when"]);
        let asked = self.tokens[..self.place]
            .iter()
            .any(|token| token.is_in(&["asked", "asks", "told", "requests", "suggests", "wants", "demands"]));
        let words = |token: &&Token| !token.is(',') && !is_stop(token);
        let rest: Vec<&str> = self.tokens[self.place + 1..].iter().filter(words).map(Token::word).collect();
        let comma = self.tokens.get(self.place + 1).is_some_and(|token| token.is(','));
        let told = match rest.as_slice() {
            ["refuse" | "decline" | "reject", rest @ ..] | ["say", "no", rest @ ..] => {
                rest.iter().all(|word| lists(&EXPLAINS, word))
            }
            ["stop"] | ["do", "not", "do", "it"] => true,
            _ => false,
        };
        opens && asked && comma && told
    }

    /// "Prefer `y` over `x`", "Use `y`, never `x`", "`y`, not `x`".
    fn prefers(&self) -> bool {
        let first = opener(self.tokens);
        let Some(last) = self.place.checked_sub(1).filter(|last| *last > first) else { return false };
        let word = self.word(last);
        let verb = self.word(first);
        let over = matches!((verb, word), ("prefer", "over" | "to") | ("use" | "choose" | "pick", "over"));
        let before = &self.tokens[last - 1];
        let named = self.tokens[first..last].iter().any(Token::is_code);
        let not = matches!(word, "not" | "never")
            && (before.is(',') || before.is('('))
            && named
            && (self.tokens[first].is_code() || matches!(verb, "use" | "prefer" | "run" | "choose" | "call"));
        let calm = !self.tokens[first..last].iter().any(|token| {
            token.is_in(&["then", "after", "before", "and"]) || token.is(':') || token.is_in(&CONDITIONS)
        });
        let close = usize::from(before.is('(') && self.tokens.get(self.place + 1).is_some_and(|t| t.is(')')));
        (over || not) && calm && ends(self.unit, self.tokens, self.place + 1 + close)
    }

    /// "`x` (forbidden)", "`x` \u{274c}".
    fn aside(&self) -> bool {
        let first = opener(self.tokens);
        if first != self.place {
            return false;
        }
        let rest = &self.tokens[self.place + 1..];
        match rest {
            [open, word, close, end @ ..] if open.is('(') && close.is(')') => {
                let stopped = STOPPED.contains(&word.word())
                    || word.is_in(&["never", "blocked", "denied", "rejected"])
                    || HARMFUL.contains(&word.word());
                stopped && end.iter().all(is_stop)
            }
            [mark, end @ ..] => {
                matches!(mark.kind, Kind::Mark('\u{274c}' | '\u{1f6ab}' | '\u{26d4}' | '\u{1f6d1}'))
                    && end.iter().all(|token| is_stop(token) || token.is('\u{fe0f}'))
            }
            [] => false,
        }
    }

    /// "Grep for `x`", "Look for `x` in the diff": an order that is about its text.
    fn looks_for(&self) -> bool {
        let first = opener(self.tokens);
        let looks = ["grep", "search", "look", "watch", "scan", "check"];
        let verb = self.tokens.get(first).is_some_and(|token| token.is_in(&looks));
        verb && self.word(first + 1) == "for" && first + 2 == self.place && self.ends_behind_list()
    }

    /// Whether the words before a ban, which begins at piece `at`, name its reader and nobody else: "Claude must not run".
    pub(super) fn names_reader(&self, first: usize, at: usize) -> bool {
        let words = self.tokens.get(first..at).unwrap_or_default();
        !words.is_empty() && words.len() <= 3 && words.iter().all(|token| token.is_in(&READERS))
    }

    /// The piece behind "is forbidden to", "are not allowed to", "is prohibited from", which begin at piece `at`.
    pub(super) fn forbidden_to(&self, at: usize) -> Option<usize> {
        let it = at.checked_sub(1).is_none_or(|it| {
            it + 1 == at && (self.word(it) == "it" || self.names_reader(opener(self.tokens), at))
                || matches!(self.word(it), "you" | "we")
        });
        let mut at = at + 1;
        let not = matches!(self.word(at), "not" | "never");
        at += usize::from(not || matches!(self.word(at), "strictly" | "always"));
        let said = match self.word(at) {
            "allowed" | "permitted" => not,
            stopped => STOPPED.contains(&stopped) && !not,
        };
        (it && said && matches!(self.word(at + 1), "to" | "from")).then_some(at + 2)
    }

    /// Whether what stands before a ban, which begins at piece `at`, only sets it off: a topic with its colon, a clause
    /// with its comma, a mark, a tag.
    pub(super) fn is_set_off(&self, at: usize) -> bool {
        let before = &self.tokens[..at];
        // What is quoted is somebody else's.
        let Some(last) = before.last().filter(|_| !before.iter().any(Token::is_quote)) else {
            return before.is_empty();
        };
        let words: Vec<&str> = before.iter().map(Token::word).filter(|word| !word.is_empty()).collect();
        let gap = &self.unit[last.range.end..self.tokens[at].range.start];
        let lead = words.iter().all(|word| LEADS.contains(word));
        let joined = matches!(last.kind, Kind::Mark(_))
            || last.is_in(&["and", "also", "so", "again", "finally"])
            || (gap.contains('\n') && (lead || matches!(before[0].kind, Kind::Mark(_))));
        let marks = before.iter().all(|token| match token.kind {
            Kind::Mark('[' | ']') => false,
            Kind::Word(_) => true,
            Kind::Mark(mark) => {
                !matches!(mark, '?' | '|' | '&' | '\\' | '`' | '$' | '=' | '~' | '\u{2705}' | '\u{2714}')
            }
            _ => false,
        });
        let skipped = match words.as_slice() {
            ["in", "short" | "general" | "particular" | "summary", ..] => 2,
            ["for", "safety" | "security", ..] => 2,
            ["as", "an" | "a", "agent" | "assistant", ..] | ["as", "a", "rule", ..] => 3,
            ["as", "an", "ai", ..] => 4,
            ["even", "then", ..] => 2,
            // "No force pushes: never run"
            ["no", ..] if last.is(':') => 1,
            _ => 0,
        };
        let bounds = |word: &&str| {
            UNDONE.contains(word)
                || LIMITS.contains(word)
                || CONDITIONS.contains(word)
                || EXCEPTIONS.contains(word)
        };
        joined && marks && words.len() <= 10 && !words[skipped.min(words.len())..].iter().any(bounds)
    }

    /// Whether the words between a head and its command name the kind that the command is one of: "run destructive commands
    /// such as".
    pub(super) fn names_kind(&self, words: &[Token]) -> bool {
        let Some((verb, rest)) = words.split_first() else { return false };
        let known = |token: &Token| {
            token.is_in(&KINDS)
                || token.is(',')
                || token.is('(')
                || token.is(':')
                || token.is('.')
                || token.is_dash()
                || matches!(token.kind, Kind::Code(_))
        };
        // A check that is not to be skipped is to be run.
        let skips = matches!(verb.word(), "skip" | "bypass" | "skipping" | "bypassing" | "disable");
        let fits = verb.is_in(&KIND_VERBS) && (!skips || self.skips());
        let example = rest
            .iter()
            .any(|token| token.is('(') || token.is_in(&["like", "as", "e.g", "i.e", "with", "via", "using"]));
        fits && rest.len() <= 24 && !rest.is_empty() && example && rest.iter().all(known)
    }

    /// Whether piece `at` tells not to skip the checks that the command skips: "Never skip hooks (`git commit
    /// --no-verify`)".
    pub(super) fn skips_checks(&self, at: usize) -> bool {
        self.tokens[at].is_in(&["skip", "skipping"]) && self.skips()
    }

    fn skips(&self) -> bool {
        let command = &self.unit[self.tokens[self.place].range.clone()];
        command.contains("--no-verify") || command.contains("commit -n")
    }

    /// Whether what stands from piece `at` on, behind a command that is forbidden, narrows nothing: "for any reason", "to
    /// `main`", "manually", a parenthesis, another command to use.
    pub(super) fn says_no_less(&self, at: usize) -> bool {
        let mut at = at;
        if self.tokens.get(at).is_some_and(|token| token.is(')'))
            && self.tokens[..at].iter().any(|t| t.is('('))
        {
            at += 1;
        }
        if self.word(at) == "manually" || self.word(at) == "yourself" {
            at += 1;
        }
        let rest = &self.tokens[at..];
        if is_of_all(rest) {
            return rest.len() <= 6;
        }
        let end = rest.iter().position(|token| is_stop(token) || token.is(')')).unwrap_or(rest.len());
        let (rest, behind) = rest.split_at(end);
        let tag = behind.iter().position(|token| token.is('<')).unwrap_or(behind.len());
        let (stops, tag) = behind.split_at(tag);
        let closes = |token: &Token| matches!(token.kind, Kind::Mark('<' | '/' | '>') | Kind::Word(_));
        if !stops.iter().all(|token| is_stop(token) || token.is(')') || token.is_quote())
            || tag.len() > 5
            || !tag.iter().all(closes)
        {
            return false;
        }
        let calm = |tokens: &[Token]| {
            !tokens.iter().any(|token| {
                token.is_in(&LIMITS) || token.is_in(&CONDITIONS) || token.is_in(&EXCEPTIONS) || token.is('?')
            })
        };
        match rest {
            [] => true,
            [to, object @ ..] if to.is_in(&["to", "into"]) => {
                let target = |token: &Token| token.is_code() || token.is_in(&TARGETS);
                object.len() <= 4 && !object.is_empty() && object.iter().all(target)
            }
            [slash, code] if slash.is('/') => code.is_code(),
            [comma, or, inner @ ..] if comma.is(',') && or.is_in(&["or", "nor"]) => {
                (1..=5).contains(&inner.len())
                    && inner.iter().all(|token| !token.word().is_empty())
                    && calm(inner)
                    && inner[0].is_in(&super::words::DESTROYS)
            }
            [open, inner @ ..] if open.is('(') => {
                inner.len() <= 4 && calm(inner) && inner[0].is_in(&["or", "and"])
            }
            [comma, verb, code, inner @ ..] if comma.is(',') && verb.is_in(&["use", "prefer"]) => {
                code.is_code() && inner.len() <= 1 && inner.iter().all(|token| token.is_in(&["instead"]))
            }
            _ => false,
        }
    }
}
