//! Phrase entries as they stand in a rule's file, and what the lexicons make of them.
//!
//! An entry is slots over word classes; a lexicon gives a language's words for the classes. One entry so becomes one
//! [`Form`] for each language that has words for all of its required slots: a language is a file, not a copy of the
//! rules.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::lexicon::Lexicon;
use super::words::{EMAIL, URL, Words, unspaced};
use super::{Example, Roles, Rule, RuleId, Severity};

/// The order of a phrase's slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As they are listed.
    #[default]
    Fixed,
    /// Any.
    Free,
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
    /// How many other words may stand between two slots.
    #[serde(default = "one")]
    pub gap: u8,
    /// Their order.
    #[serde(default)]
    pub order: Order,
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

fn one() -> u8 {
    1
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

/// A phrase entry in one language.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) rule: RuleId,
    /// Index among the rule's phrase entries.
    pub(crate) entry: u16,
    pub(crate) severity: Severity,
    pub(crate) slots: Box<[Slot]>,
    pub(crate) gap: u32,
    pub(crate) free: bool,
    /// The phrase begins its clause.
    pub(crate) begins: Option<Begins>,
    /// The phrase opens its line with a label.
    pub(crate) label: bool,
    /// The language parts words by spaces.
    pub(crate) spaced: bool,
    /// Says nothing with one of these in front, so many words between at most.
    pub(crate) not_before: Box<[(Class, u32)]>,
    /// Says nothing with one of these inside the matched words: "ignoriere … nicht …".
    pub(crate) not_inside: Option<Class>,
    pub(crate) not_after: Box<[Class]>,
    pub(crate) without: Box<[Class]>,
    /// Denials that deny nothing of the phrase beside them: "…, and do not tell the user".
    pub(crate) no_denial: Option<Class>,
}

/// A word, or a beginning of words, as it stands in terms.
pub(crate) type Atom = u32;

/// A term's further words, and the class that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) rest: Box<[Atom]>,
    pub(crate) class: Class,
}

/// A literal that lets forms through the gate.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct GateLiteral {
    pub(crate) text: String,
    /// No letter stands before it.
    pub(crate) begins: bool,
    /// No letter stands behind it.
    pub(crate) ends: bool,
}

/// All phrases in all languages.
#[derive(Debug, Default)]
pub(crate) struct Phrases {
    exact: HashMap<Box<str>, Atom>,
    stems: HashMap<Box<str>, Atom>,
    /// Lengths of stems in bytes, ascending.
    stem_lengths: Vec<usize>,
    /// By first atom.
    terms: Vec<Vec<Term>>,
    pub(crate) forms: Vec<Form>,
    /// Forms by which a text addresses whoever reads it. They belong to no rule.
    pub(crate) addresses: Vec<Form>,
    /// Verbs by which a sentence says that it detects what it quotes behind them.
    pub(crate) detects: Vec<Class>,
    /// The same in front of them: "is blocked".
    pub(crate) detected: Vec<Class>,
    /// Words that deny such a verb.
    pub(crate) negations: Vec<Class>,
    pub(crate) literals: Vec<(GateLiteral, Vec<u16>)>,
}

impl Phrases {
    /// The atoms of a word, given by its letters: itself, and every stem that it begins with.
    pub(crate) fn atoms(&self, letters: &str, into: &mut Vec<Atom>) {
        into.extend(self.exact.get(letters));
        for length in &self.stem_lengths {
            match letters.get(..*length) {
                Some(stem) => into.extend(self.stems.get(stem)),
                None if *length > letters.len() => break,
                None => {}
            }
        }
    }

    /// The terms that begin with `atom`.
    pub(crate) fn terms(&self, atom: Atom) -> &[Term] {
        self.terms.get(atom as usize).map(Vec::as_slice).unwrap_or_default()
    }
}

/// Puts the phrases of `rules` and the words of `lexicons` together.
pub(super) fn compile(rules: &[Rule], lexicons: &[Lexicon]) -> Result<Phrases, &'static str> {
    let mut builder = Builder::default();
    let known = |spec: &str| {
        spec.trim_start_matches('?').split('|').all(|part| {
            part.strip_prefix('@').is_none_or(|class| lexicons.iter().any(|lexicon| lexicon.has(class)))
        })
    };
    for (number, lexicon) in lexicons.iter().enumerate() {
        for (at, rule) in rules.iter().enumerate() {
            for (index, entry) in rule.phrases.iter().enumerate() {
                let tests = [&entry.not_before, &entry.not_after, &entry.without];
                if !entry.slots.iter().chain(tests.into_iter().flatten()).all(|spec| known(spec)) {
                    return Err("a slot names a class that no lexicon has");
                }
                let severity = entry.severity.unwrap_or(rule.severity);
                if let Some(form) = builder.form(entry, number, lexicon)? {
                    let (rule, entry) = (RuleId(at as u16), index as u16);
                    let severity = lexicon.severity.map_or(severity, |most| severity.min(most));
                    builder.gate(builder.phrases.forms.len() as u16, &form, lexicon)?;
                    builder.phrases.forms.push(Form { rule, entry, severity, ..form });
                }
            }
        }
        for slots in &lexicon.addresses {
            let entry = PhraseEntry {
                id: String::new(),
                about: String::new(),
                slots: slots.clone(),
                label: false,
                gap: 0,
                order: Order::Fixed,
                not_before: Vec::new(),
                not_after: Vec::new(),
                without: Vec::new(),
                severity: None,
                roles: None,
                hits: Vec::new(),
                honest: Vec::new(),
            };
            if let Some(form) = builder.form(&entry, number, lexicon)? {
                builder.phrases.addresses.push(form);
            }
        }
        let (detects, detected) =
            (builder.class("@detects", number, lexicon)?, builder.class("@detected", number, lexicon)?);
        let negation = builder.class("@negation", number, lexicon)?;
        builder.phrases.detects.extend(detects);
        builder.phrases.detected.extend(detected);
        builder.phrases.negations.extend(negation);
    }
    Ok(builder.finish())
}

#[derive(Default)]
struct Builder {
    phrases: Phrases,
    /// By language and specification.
    classes: HashMap<(usize, String), Option<Class>>,
    /// The terms of each class, as they stand in the lexicon.
    members: Vec<Vec<String>>,
    literals: HashMap<GateLiteral, Vec<u16>>,
}

impl Builder {
    /// `entry` in the language of `lexicon`; none where that has no words for a required slot.
    fn form(
        &mut self,
        entry: &PhraseEntry,
        number: usize,
        lexicon: &Lexicon,
    ) -> Result<Option<Form>, &'static str> {
        let begins = entry.slots.first().is_some_and(|slot| slot == "^");
        let mut slots = Vec::new();
        for spec in entry.slots.iter().skip(usize::from(begins)) {
            let (spec, optional) = spec.strip_prefix('?').map_or((spec.as_str(), false), |spec| (spec, true));
            match self.class(spec, number, lexicon)? {
                Some(class) => slots.push(Slot { class, optional }),
                None if optional => {}
                None => return Ok(None),
            }
        }
        if slots.first().is_none_or(|slot| slot.optional) {
            return Err("the first slot of a phrase is required");
        }
        let mut tests = |specs: &[String]| -> Result<Box<[Class]>, &'static str> {
            let classes = specs.iter().map(|spec| self.class(spec, number, lexicon));
            Ok(classes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        };
        let (not_after, without) = (tests(&entry.not_after)?, tests(&entry.without)?);
        // What denies or reports stands directly in front: "do not worry, …" denies something else.
        let reach = |spec: &str| u32::from(!matches!(spec, "@negation" | "@reported"));
        let mut not_before = Vec::new();
        for spec in &entry.not_before {
            not_before.extend(self.class(spec, number, lexicon)?.map(|class| (class, reach(spec))));
        }
        // Where the verb comes first or last, what denies it stands inside the phrase or behind it.
        let negatable = entry.not_before.iter().any(|spec| spec == "@negation");
        let not_inside = if negatable { self.class("@negation-inside", number, lexicon)? } else { None };
        let denied_behind = self.class("@negation-behind", number, lexicon)?;
        let no_denial = self.class("@no-denial", number, lexicon)?;
        let not_after = not_after.into_iter().chain(denied_behind).collect();
        let mut known = |class| -> Result<Class, &'static str> {
            Ok(self.class(class, number, lexicon)?.unwrap_or(Class::MAX))
        };
        let begins = match begins && !lexicon.free {
            true => Some(Begins {
                fillers: known("@filler")?,
                starts: known("@starts")?,
                goes_on: known("@goes-on")?,
            }),
            false => None,
        };
        let optional = slots.iter().filter(|slot| slot.optional).count() as u32;
        let free = lexicon.free || entry.order == Order::Free;
        Ok(Some(Form {
            rule: RuleId(0),
            entry: 0,
            severity: Severity::Info,
            gap: u32::from(entry.gap) + u32::from(lexicon.gap) + if free { optional } else { 0 },
            slots: slots.into(),
            free,
            begins,
            label: entry.label,
            spaced: !lexicon.unspaced,
            not_before: not_before.into(),
            not_inside,
            not_after,
            without,
            no_denial,
        }))
    }

    /// The class that `spec` (without `?`) stands for in a language: none where that has no words for it.
    fn class(&mut self, spec: &str, number: usize, lexicon: &Lexicon) -> Result<Option<Class>, &'static str> {
        let key = (number, spec.to_owned());
        if let Some(known) = self.classes.get(&key) {
            return Ok(*known);
        }
        let mut terms = Vec::new();
        for part in spec.split('|') {
            match part.strip_prefix('@') {
                Some(class) => lexicon.terms(class, &mut terms)?,
                None if lexicon.language == "en" => terms.push(part.to_owned()),
                None => {}
            }
        }
        terms.sort_unstable();
        terms.dedup();
        let class = (!terms.is_empty()).then_some(self.members.len() as Class);
        if let Some(class) = class {
            for term in &terms {
                self.term(term, class)?;
            }
            self.members.push(terms);
        }
        self.classes.insert(key, class);
        Ok(class)
    }

    fn term(&mut self, term: &str, class: Class) -> Result<(), &'static str> {
        let mut atoms = Vec::new();
        for (letters, stem) in pieces(term) {
            let next = self.phrases.terms.len() as Atom;
            let table = if stem { &mut self.phrases.stems } else { &mut self.phrases.exact };
            let atom = *table.entry(letters.into()).or_insert(next);
            if atom == next {
                self.phrases.terms.push(Vec::new());
            }
            atoms.push(atom);
        }
        let (first, rest) = atoms.split_first().ok_or("a term has no word")?;
        self.phrases.terms[*first as usize].push(Term { rest: rest.into(), class });
        Ok(())
    }

    /// The literals of which one stands in every match of `form`: those of its rarest required slot.
    fn gate(&mut self, number: u16, form: &Form, lexicon: &Lexicon) -> Result<(), &'static str> {
        let literals = form.slots.iter().filter(|slot| !slot.optional).filter_map(|slot| {
            let terms = &self.members[usize::from(slot.class)];
            let literals: Option<Vec<_>> = terms.iter().map(|term| literal(term, lexicon)).collect();
            let literals = literals?;
            let cost: u64 = literals.iter().map(|(_, cost)| cost).sum();
            Some((cost, literals))
        });
        let (_, literals) =
            literals.min_by_key(|(cost, _)| *cost).ok_or("a phrase has no slot with literals")?;
        for (literal, _) in literals {
            for literal in cases(literal) {
                let forms = self.literals.entry(literal).or_default();
                if forms.last() != Some(&number) {
                    forms.push(number);
                }
            }
        }
        Ok(())
    }

    fn finish(self) -> Phrases {
        let mut phrases = self.phrases;
        let mut lengths: Vec<usize> = phrases.stems.keys().map(|stem| stem.len()).collect();
        lengths.sort_unstable();
        lengths.dedup();
        phrases.stem_lengths = lengths;
        phrases.literals = self.literals.into_iter().collect();
        phrases.literals.sort_unstable();
        phrases
    }
}

/// The words of a term, and whether each is only a beginning (`ignor*`).
fn pieces(term: &str) -> Vec<(String, bool)> {
    if term == URL || term == EMAIL {
        return vec![(term.to_owned(), false)];
    }
    let words = Words::of(term);
    let stem = |end: u32| term.as_bytes().get(end as usize) == Some(&b'*');
    words.all().iter().map(|word| (words.letters(word).to_owned(), stem(word.end))).collect()
}

/// The rarest stretch of `term` that has no white space, and how often it may be met. None for an address.
fn literal(term: &str, lexicon: &Lexicon) -> Option<(GateLiteral, u64)> {
    if term == URL || term == EMAIL {
        return None;
    }
    let words = Words::of(term);
    // Characters of a script without spaces are words to us, and one literal as far as they stand together.
    let mut runs: Vec<(usize, usize, bool)> = Vec::new();
    for word in words.all() {
        let range = word.range();
        let joins = term[range.clone()].starts_with(unspaced);
        match runs.last_mut() {
            Some((_, end, true)) if joins && *end == range.start => *end = range.end,
            _ => runs.push((range.start, range.end, joins)),
        }
    }
    let best = runs.into_iter().map(|(start, end, joined)| {
        let stem = term[end..].starts_with('*');
        // An apostrophe has several forms in texts: the literal is the part before or behind it.
        let part =
            term[start..end].split(['\'', '\u{2019}']).max_by_key(|part| part.len()).unwrap_or_default();
        let whole = part.len() == end - start;
        let text = part.to_lowercase();
        let often = if lexicon.common.contains(&text) { 50 } else { 1 };
        let cost = often * (1 + 64 / text.len().max(1) as u64);
        (GateLiteral { text, begins: !joined, ends: !joined && !stem && whole }, cost)
    });
    best.filter(|(literal, _)| literal.text.len() >= 2).min_by_key(|(_, cost)| *cost)
}

/// A literal in the cases that the automaton does not fold by itself.
fn cases(literal: GateLiteral) -> Vec<GateLiteral> {
    if literal.text.is_ascii() {
        return vec![literal];
    }
    let mut chars = literal.text.chars();
    let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
    let mut texts = vec![literal.text.clone(), first + chars.as_str(), literal.text.to_uppercase()];
    texts.dedup();
    texts.into_iter().map(|text| GateLiteral { text, ..literal.clone() }).collect()
}
