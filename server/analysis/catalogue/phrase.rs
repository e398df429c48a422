//! Phrase entries as they stand in a rule's file, and what the lexicons make of them.
//!
//! An entry is slots over word classes; a lexicon gives a language's words for the classes. One entry so becomes one
//! [`Form`] for each language that has words for all of its required slots: a language is a file, not a copy of the
//! rules.

mod build;

use schemars::JsonSchema;
use serde::Deserialize;

use super::vocabulary::{Atom, Vocabulary};
use super::{Example, Roles, RuleId, Severity};
pub(crate) use build::CALLS;
pub(super) use build::compile;

/// The order of a phrase's slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As they are listed.
    #[default]
    Fixed,
    /// Any.
    Free,
    /// Any, with any words between them that their passage has: a frame. What so loose a form gives is held to more:
    /// the reader is addressed, or the first slot is an order ([`PhraseEntry::unaddressed`]), nothing in the clauses
    /// of the match denies it, and a match of another entry on the same words stands instead.
    Frame,
}

/// A phrase that a rule finds.
///
/// A slot is a list of alternatives parted by `|`: `@class` of the lexicons, or words as they stand (English). A leading
/// `?` makes it optional. The pseudo-slot `^` in front asks that the phrase begins its clause, politeness and adverbs aside.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PhraseEntry {
    /// The pattern id, unique in the rule.
    pub id: String,
    /// The form in words: what `explain` shows. Describes, and quotes no hostile text. Of a project's own entries it is
    /// never shown.
    #[serde(default)]
    pub about: String,
    /// The slots.
    pub slots: Vec<String>,
    /// The first slot is a label: it opens its line, and a mark that parts clauses stands behind it.
    #[serde(default)]
    pub label: bool,
    /// Nothing of its clause stands behind it.
    #[serde(default)]
    pub ends: bool,
    /// It counts in a name, too: what is written without white space, as an id is.
    #[serde(default)]
    pub named: bool,
    /// How many other words may stand between two slots: one where nothing is said, of a frame a sentence's.
    #[serde(default)]
    pub gap: Option<u8>,
    /// Their order.
    #[serde(default)]
    pub order: Order,
    /// Of a frame: it need not address its reader, as it says of itself what no honest text says.
    #[serde(default)]
    pub unaddressed: bool,
    /// Says nothing with one of these in front, in the same clause: `@negation` and `@reported` directly, others with at
    /// most one word between. Where nothing is named: those two.
    #[serde(default = "negated")]
    pub not_before: Vec<String>,
    /// Says nothing with one of these directly behind, in the same clause, at most one word between.
    #[serde(default)]
    pub not_after: Vec<String>,
    /// Says nothing with one of these anywhere in its sentence.
    #[serde(default)]
    pub without: Vec<String>,
    /// The severity, where it is not the rule's. A lexicon may lower it.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// In which roles the entry looks, where that is not the rule's.
    #[serde(default)]
    pub roles: Option<Roles>,
    /// Examples that must hit.
    pub hits: Vec<Example>,
    /// Honest neighbours that must not.
    pub honest: Vec<Example>,
}

fn negated() -> Vec<String> {
    vec!["@negation".to_owned(), "@reported".to_owned()]
}

/// A set of terms, by number.
pub(crate) type Class = u16;

/// One slot, compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) class: Class,
    pub(crate) optional: bool,
}

/// What may stand in front of a phrase that begins its clause, by class; a class that a language has no words for is
/// [`Class::MAX`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begins {
    /// Words of politeness, time and manner.
    pub(crate) fillers: Class,
    /// Words behind which a clause begins without a comma: "but", "then".
    pub(crate) starts: Class,
    /// Words behind which a clause goes on, at a line's end too: "to".
    pub(crate) goes_on: Class,
}

/// What a match of a frame is held to, by class; a class that a language has no words for is [`Class::MAX`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Words that address the reader, or say what it should do; none where the frame need not.
    pub(crate) addressed: Option<Class>,
    /// Where none of those stands, the first slot begins its clause.
    pub(crate) order: Begins,
    /// Words that deny: none stands in the clauses of the match, but as a part of a slot.
    pub(crate) negations: Class,
}

/// A phrase entry in one language.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) rule: RuleId,
    /// Index among the rule's phrase entries.
    pub(crate) entry: u16,
    pub(crate) severity: Severity,
    pub(crate) slots: Box<[Slot]>,
    /// Its required classes, as [`Phrases::bits`] numbers them.
    pub(crate) needs: Box<[Bit]>,
    pub(crate) gap: u32,
    pub(crate) free: bool,
    pub(crate) frame: Option<Frame>,
    /// The phrase begins its clause.
    pub(crate) begins: Option<Begins>,
    /// The phrase opens its line with a label.
    pub(crate) label: bool,
    /// The phrase ends its clause.
    pub(crate) ends: bool,
    /// The phrase counts in a name.
    pub(crate) named: bool,
    /// The language parts words by spaces.
    pub(crate) spaced: bool,
    /// Says nothing with one of these in front, so many words between at most.
    pub(crate) not_before: Box<[(Class, u32)]>,
    /// Says nothing with one of these inside the matched words: "ignoriere … nicht …".
    pub(crate) not_inside: Option<Class>,
    pub(crate) not_after: Box<[Class]>,
    pub(crate) without: Box<[Class]>,
    /// Denials of a denial, in front of which the match stands: "must not refuse to".
    pub(crate) twice_denied: Option<Class>,
    /// Says nothing where one of these governs the match: words that forbid.
    pub(crate) forbids: Option<Class>,
    /// Behind one of these a clause orders anew, whatever a clause before it forbids.
    pub(crate) turns: Option<Class>,
    /// Denials that deny nothing of the phrase beside them: "…, and do not tell the user".
    pub(crate) no_denial: Option<Class>,
}

/// The number of a class that some form requires.
pub(crate) type Bit = u16;

/// A term: its words but for the first, and the class that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) class: Class,
    rest: (u32, u32),
}

/// A term that tells of forms by one of its words.
#[derive(Clone, Copy, Debug)]
struct Key {
    /// All its words.
    atoms: (u32, u32),
    /// Which of them tells.
    at: u32,
    /// The forms of which the term's class is the rarest that they require.
    forms: (u32, u32),
}

/// Forms, and the terms that tell of them.
///
/// One slot of each form, that which is met least often, is its key: where none of its terms stands, the form cannot
/// match. Of a term again one word, the rarest, is looked at, so that nearly every word of a text is passed over.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    pub(crate) list: Vec<Form>,
    keys: Vec<Key>,
    /// By atom: where its keys begin.
    keys_at: Vec<u32>,
    /// By atom: a word whose longest atom it is tells of a form.
    tells: Vec<bool>,
    key_forms: Vec<u16>,
    key_atoms: Vec<Atom>,
}

impl Forms {
    /// Whether a word whose longest atom is `atom` may tell of a form.
    pub(crate) fn tells(&self, atom: Atom) -> bool {
        self.tells.get(atom as usize).is_some_and(|tells| *tells)
    }

    /// Calls `each` with the numbers of the forms of which a term tells that has `atom`, one of its word's, and stands
    /// where that word stands: `words` is the sentence, each word's atoms given by its place in it.
    pub(crate) fn told<'a>(
        &self,
        atom: Atom,
        place: usize,
        words: impl Fn(usize) -> &'a [Atom],
        mut each: impl FnMut(u16),
    ) {
        let keys = self.keys_at[atom as usize] as usize..self.keys_at[atom as usize + 1] as usize;
        for key in &self.keys[keys] {
            let term = &self.key_atoms[key.atoms.0 as usize..key.atoms.1 as usize];
            let Some(start) = place.checked_sub(key.at as usize) else { continue };
            if term.iter().enumerate().all(|(at, atom)| words(start + at).contains(atom)) {
                self.key_forms[key.forms.0 as usize..key.forms.1 as usize]
                    .iter()
                    .for_each(|form| each(*form));
            }
        }
    }
}

/// All phrases in all languages.
#[derive(Debug, Default)]
pub(crate) struct Phrases {
    pub(crate) vocabulary: Vocabulary,
    /// Those of the rules' entries.
    pub(crate) forms: Forms,
    /// Those by which a text addresses whoever reads it. They belong to no rule.
    pub(crate) addresses: Forms,
    /// By first atom, then by class.
    terms: Vec<Term>,
    /// By atom: where the terms begin whose first it is.
    terms_at: Vec<u32>,
    /// The further words of terms.
    rests: Vec<Atom>,
    /// By atom: the required classes in which it is a term.
    bits: Vec<Bit>,
    bits_at: Vec<u32>,
    /// By first atom, then by the second: terms of several words in required classes.
    joined: Vec<(Atom, u32, Bit)>,
    joined_at: Vec<u32>,
    /// How many classes are required by some form.
    pub(crate) bit_count: usize,
    /// Verbs by which a sentence says that it detects what it quotes behind them.
    pub(crate) detects: Vec<Class>,
    /// The same in front of them: "is blocked".
    pub(crate) detected: Vec<Class>,
    /// Words that deny such a verb.
    pub(crate) negations: Vec<Class>,
    /// Words by which a sentence takes something back of what it says.
    pub(crate) exceptions: Vec<Class>,
}

/// The part of `of` that belongs to `atom`, where `at` says where each atom's begins.
fn part<'a, T>(of: &'a [T], at: &[u32], atom: Atom) -> &'a [T] {
    let range = at.get(atom as usize).zip(at.get(atom as usize + 1));
    range.map_or(&[], |(from, to)| &of[*from as usize..*to as usize])
}

impl Phrases {
    /// The terms of `class` that begin with `atom`.
    pub(crate) fn terms(&self, atom: Atom, class: Class) -> &[Term] {
        let all = part(&self.terms, &self.terms_at, atom);
        let start = all.partition_point(|term| term.class < class);
        let count = all[start..].iter().take_while(|term| term.class == class).count();
        &all[start..start + count]
    }

    /// The words of `term` behind its first.
    pub(crate) fn rest(&self, term: &Term) -> &[Atom] {
        &self.rests[term.rest.0 as usize..term.rest.1 as usize]
    }

    /// The required classes in which `atom` alone is a term.
    pub(crate) fn bits(&self, atom: Atom) -> &[Bit] {
        part(&self.bits, &self.bits_at, atom)
    }

    /// The terms in required classes that begin with the words `first` and `second`: what follows, and the class.
    pub(crate) fn joined(&self, first: Atom, second: Atom) -> impl Iterator<Item = (&[Atom], Bit)> {
        let all = part(&self.joined, &self.joined_at, first);
        let start = all.partition_point(|(known, ..)| *known < second);
        let same = all[start..].iter().take_while(move |(known, ..)| *known == second);
        same.map(|(_, term, bit)| (&self.rest(&self.terms[*term as usize])[1..], *bit))
    }
}
