//! A record read: its values one by one, each as what its keys say that it is, and by lines what cannot be read as a
//! whole.

use std::collections::HashMap;
use std::ops::Range;

use super::parts::{ahead, logical, paragraphs};
use super::pointer::pointer;
use super::split::{Parts, goes_on};
use super::{By, ByKind, Found, NEAR, Reading, Scan, Unit, WINDOW};
use crate::catalogue::{Catalogue, GateHits, RuleId, Severity};
use crate::facts::command::Place;
use crate::facts::records::{self, Lets, NodeId, Reading as As, Stretch, Text, Tree, What, allowed};
use crate::facts::view::Mapped;
use crate::facts::{Cues, Hit, Record, Rules, Says, allow, matching, pattern};
use crate::lines::{Fed, Format, Given, Givens, Lang, Sub, permission_rules};

/// The longest string that is read as a record of its own.
const NESTED: usize = 64 * 1024;

/// Reads the values of the record that `unit` is, and adds what they say to `found`.
pub(super) fn extract(
    unit: &Unit<'_>,
    format: Format,
    reading: Reading,
    rules: &Rules,
    lines: &mut [Record],
    gates: Gates<'_>,
    found: &mut Vec<Found>,
) {
    let text = unit.text();
    let front = reading.place == Place::FrontMatter;
    // The first line of front matter is its mark, but for the brace of JSON.
    let marked = front && !text.starts_with(['{', '\u{feff}']);
    let base = if marked { text.find('\n').map_or(text.len(), |end| end + 1) } else { 0 };
    // A form that reaches from a key to its value is seen on the line as it is.
    if gates.hits.patterns() {
        raw(unit, gates.hits, found);
    }
    let tree = records::read(&text[base..], format);
    let mut values = Values {
        unit,
        base,
        rules,
        lines,
        gates,
        found,
        reading: 0,
        givens: Givens::default(),
        given: Given::default(),
    };
    for stretch in records::stretches(&tree) {
        values.stretch(&tree, &stretch);
    }
    values.split(&tree);
    for comment in &tree.comments {
        values.reading += 1;
        values.misplaced(comment);
        values.part(comment, 0..comment.value.len(), Reading::plain(Place::Prose), None);
    }
    if let Some(fault) = tree.fault {
        let place = if front { Place::FrontMatter } else { Place::Code(format.lang()) };
        values.reading += 1;
        values.by_lines(base + fault, place);
    }
    once(found);
}

/// Raw patterns, line by line.
fn raw(unit: &Unit<'_>, hits: &mut GateHits, found: &mut Vec<Found>) {
    let text = unit.text();
    let lines: Vec<Range<usize>> = unit.lines().collect();
    let mut matches = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        Catalogue::get().gate(&text[line.clone()], hits);
        if !hits.patterns() {
            continue;
        }
        let window = lines[(index + NEAR).min(lines.len() - 1)].end;
        pattern::scan(&text[line.start..window], hits, &mut matches);
        for hit in matches.drain(..) {
            let says = Says::Hit(Hit::new(hit.rule, hit.pattern, hit.severity));
            let range = line.start + hit.range.start..line.start + hit.range.end;
            found.push(Found { range, says, pointer: None, reading: 0 });
        }
    }
}

/// What the gates saw last: the catalogue's, and that of the project's own commands.
pub(super) struct Gates<'a> {
    pub(super) hits: &'a mut GateHits,
    pub(super) own: &'a mut GateHits,
}

/// The values of one record.
struct Values<'a> {
    unit: &'a Unit<'a>,
    /// Where in the unit the record begins.
    base: usize,
    rules: &'a Rules,
    lines: &'a mut [Record],
    gates: Gates<'a>,
    found: &'a mut Vec<Found>,
    /// The number of the value at hand.
    reading: u32,
    /// What the scripts so far have given a name to.
    givens: Givens,
    given: Given,
}

impl Values<'_> {
    fn stretch(&mut self, tree: &Tree<'_>, stretch: &Stretch<'_, '_>) {
        let first = self.found.len();
        let text = stretch.text.text();
        self.read(tree, text, stretch.node, stretch.reading);
        if stretch.reading == As::Prose {
            self.nested(tree, text, stretch.node);
        }
        if let As::Words(lang) = stretch.reading
            && self.found.len() > first
        {
            self.decide(tree, &stretch.words, lang, first);
        }
    }

    /// Phrases over values that follow each other in one list or map.
    fn split(&mut self, tree: &Tree<'_>) {
        for holder in 0..tree.nodes.len() as NodeId {
            if !matches!(tree.node(holder).what, What::Map | What::List) {
                continue;
            }
            let mut run: Vec<NodeId> = Vec::new();
            for child in tree.children(holder) {
                let text = |id: NodeId| tree.scalar(id).map_or("", |text| &*text.value);
                if run.last().is_some_and(|last| !goes_on(text(*last), text(child))) {
                    self.join(tree, holder, &run);
                    run.clear();
                }
                if tree.scalar(child).is_some() && tree.meant(child) == child {
                    run.push(child);
                }
            }
            self.join(tree, holder, &run);
        }
    }

    fn join(&mut self, tree: &Tree<'_>, holder: NodeId, run: &[NodeId]) {
        let [first, _, ..] = run else { return };
        let (mut mapped, mut parts) = (Mapped::new(), Vec::new());
        for text in run.iter().filter_map(|id| tree.scalar(*id)) {
            let start = mapped.text.len();
            text.append(&mut mapped);
            parts.push(start..mapped.text.len());
        }
        let text = Text::mapped(mapped);
        let whole = text.value.len();
        let unit = Unit::value(self.unit, self.base, &text, 0..whole, whole);
        // Each may be where it begins.
        let mut from = 0;
        while from + 1 < parts.len() {
            let map = matches!(tree.node(holder).what, What::Map);
            let mut joined = if map { Parts::of_map(&text.value) } else { Parts::new(&text.value) };
            let count = parts[from..].iter().take_while(|part| joined.push((*part).clone())).count();
            for (range, hit) in joined.said(true, self.rules.own.as_deref()) {
                self.reading += 1;
                self.push(
                    unit.outward(range),
                    Says::Hit(hit),
                    Some((tree, run.get(from).copied().unwrap_or(*first))),
                );
            }
            from += count.saturating_sub(1).max(1);
        }
    }

    /// A record written as a string of another one, which is read once more: settings travel so.
    fn nested(&mut self, tree: &Tree<'_>, text: &Text<'_>, node: NodeId) {
        let value = text.value.trim_start();
        if !value.starts_with(['{', '[']) || !value.contains('"') || value.len() > NESTED {
            return;
        }
        let inner = records::read(&text.value, Format::Json);
        if inner.fault.is_some() {
            return;
        }
        for stretch in records::stretches(&inner) {
            // What is prose as it stands was read as such already.
            if stretch.reading != As::Prose || !stretch.text.text().is_verbatim() {
                self.read(tree, &text.with(stretch.text.text()), node, stretch.reading);
            }
        }
    }

    /// Leads what was found in a command of several words since `first` to the word that decides: the one that says the
    /// same alone, as the script that a shell is given, else the command. The range is that of all the words where they
    /// stand one behind the other, else that of the word.
    fn decide(&mut self, tree: &Tree<'_>, words: &[NodeId], lang: Lang, first: usize) {
        let scripts = words.iter().filter_map(|id| {
            let text = tree.scalar(*id).filter(|text| text.value.contains(char::is_whitespace))?;
            let mut hits = Vec::new();
            matching::scan(&text.value, Place::Code(lang), self.rules.own.as_deref(), &mut hits);
            Some((*id, text, hits))
        });
        let scripts: Vec<_> = scripts.collect();
        // The script that a shell is given, whatever is put into it.
        let given = words.windows(2).find(|pair| {
            let option = tree.scalar(pair[0]).map_or("", |text| &*text.value);
            option.len() <= 4 && option.starts_with('-') && option.ends_with('c')
        });
        let given = given.map(|pair| pair[1]);
        let places = words.iter().filter_map(|id| Some(tree.scalar(*id)?.source(0..1).start));
        let in_order = places.is_sorted();
        let (base, command) = (self.base, words.first().and_then(|id| tree.scalar(*id)));
        for found in &mut self.found[first..] {
            let Says::Hit(hit) = found.says else { continue };
            let decides = scripts.iter().find_map(|(id, text, hits)| {
                let same = hits.iter().find(|same| same.rule == hit.rule)?;
                Some((*id, text.source(same.range.clone())))
            });
            let place = match decides {
                Some((id, place)) => {
                    found.pointer = Some(pointer(tree, id));
                    Some(place)
                }
                None if given.is_some_and(|given| tree.scalar(given).is_some()) => {
                    found.pointer = given.map(|given| pointer(tree, given));
                    given.and_then(|given| tree.scalar(given)).map(|text| text.source(0..text.value.len()))
                }
                None => command.map(|text| text.source(0..text.value.len())),
            };
            if let Some(place) = place.filter(|_| !in_order) {
                found.range = base + place.start..base + place.end;
            }
        }
    }

    fn read(&mut self, tree: &Tree<'_>, text: &Text<'_>, node: NodeId, as_what: As) {
        self.reading += 1;
        let whole = 0..text.value.len();
        let at = Some((tree, node));
        match as_what {
            As::Prose => {
                for part in paragraphs(&text.value) {
                    self.part(text, part, Reading::plain(Place::Prose), at);
                }
            }
            As::Word => self.scan(text, whole, Reading::plain(Place::Prose), at, false),
            As::Words(lang) => self.part(text, whole, Reading::plain(Place::Code(lang)), at),
            As::Script(lang) => self.script(text, lang, at),
            As::Rule { denied, lets } => {
                self.scan(text, whole, Reading::plain(Place::Prose), at, false);
                if lets != Lets::Nothing && allowed::is_any(&text.value, lets == Lets::Prefix) {
                    self.any(text, at);
                }
                self.rule(text, denied, at);
            }
        }
    }

    /// A suppression that stands behind a value: on a line of its own it is one.
    fn misplaced(&mut self, comment: &Text<'_>) {
        let blank = comment.value.len() - comment.value.trim_start_matches([' ', '\t', '#']).len();
        if allow::word_len(&comment.value[blank..]).is_none() {
            return;
        }
        let range = comment.source(blank..comment.value.trim_end().len());
        let range = self.base + range.start..self.base + range.end;
        let text = self.unit.text();
        let line = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
        // The sign of the comment is a part of it. JSON's is another: nothing in it is ever a suppression.
        let signed = text[line..range.start].trim_end_matches([' ', '\t']);
        let before = signed.trim_end_matches(['#', ' ', '\t']);
        if signed.ends_with('#') && !before.trim_matches(['\u{feff}', ' ', '\t']).is_empty() {
            let start = line + before.len();
            let start = start + (text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len());
            self.lines[self.unit.locate(start).0].cues.raise(Cues::ALLOW);
            self.found.push(Found { range: start..range.end, says: Says::Allow, pointer: None, reading: 0 });
        }
    }

    /// A script: its logical commands and what its here-documents hold. A comment in it lowers nothing: a machine runs the
    /// value, and no reader sees what the comment says. In a document's fence comments count by lines, elsewhere.
    fn script(&mut self, text: &Text<'_>, lang: Lang, at: Option<(&Tree<'_>, NodeId)>) {
        for (range, sub, open) in logical(&text.value, lang) {
            let (of, inert, expands) = match sub {
                Sub::HereDoc { by: Fed::Program(of), expands, .. } => (of, false, expands),
                Sub::HereDoc { by, expands, .. } => {
                    let inert = by == Fed::Nobody && !open;
                    (lang, inert, expands && inert)
                }
                _ => (lang, false, false),
            };
            let code = text.value[range.clone()].lines();
            let fresh = matches!(sub, Sub::Fresh | Sub::Continued { .. });
            self.part(
                text,
                range.clone(),
                Reading { inert, expands, sub, ..Reading::plain(Place::Code(of)) },
                at,
            );
            for line in code.filter(|_| fresh) {
                self.given = self.givens.behind_code(self.given, of, line);
            }
        }
        self.given = self.given.behind_block();
    }

    /// The pattern of a list that allows, asks or denies.
    fn rule(&mut self, text: &Text<'_>, denied: bool, at: Option<(&Tree<'_>, NodeId)>) {
        let whole = 0..text.value.len();
        let first = self.found.len();
        let mut matches = Vec::new();
        matching::scan_rule(&text.value, whole.clone(), self.rules.own.as_deref(), &mut matches);
        let unit = Unit::value(self.unit, self.base, text, whole.clone(), whole.end);
        for hit in matches {
            let says = Says::Hit(Hit::new(hit.rule, hit.pattern, hit.severity));
            self.push(unit.outward(hit.range), says, at);
        }
        if denied {
            self.shown(text, first, whole, ByKind::Denied);
        }
    }

    /// A pattern of what is allowed that is no command, but any.
    fn any(&mut self, text: &Text<'_>, at: Option<(&Tree<'_>, NodeId)>) {
        let Some(rule) = *allowed::RULE else { return };
        let whole = 0..text.value.len();
        let range = Unit::value(self.unit, self.base, text, whole.clone(), whole.end).outward(whole);
        self.push(range, Says::Hit(Hit::new(rule, allowed::PATTERN, Severity::Warning)), at);
    }

    /// Says of the commands found since `first` that `words` of `text` show them.
    fn shown(&mut self, text: &Text<'_>, first: usize, words: Range<usize>, kind: ByKind) {
        let unit = Unit::value(self.unit, self.base, text, words.clone(), words.end);
        let (line, start, end) = unit.first_line(0..words.len());
        for found in &mut self.found[first..] {
            if let Says::Hit(hit) = &mut found.says
                && hit.by.is_none()
            {
                let (own, _) = self.unit.locate(found.range.start);
                hit.by = Some(By { kind, line: (line as i64 - own as i64) as i16, start, end });
            }
        }
    }

    fn part(
        &mut self,
        text: &Text<'_>,
        part: Range<usize>,
        reading: Reading,
        at: Option<(&Tree<'_>, NodeId)>,
    ) {
        self.scan(text, part, reading, at, true);
    }

    /// Scans a part of a value.
    fn scan(
        &mut self,
        text: &Text<'_>,
        part: Range<usize>,
        reading: Reading,
        at: Option<(&Tree<'_>, NodeId)>,
        commands: bool,
    ) {
        let far = if reading.may_fetch(&text.value[part.clone()]) { WINDOW } else { NEAR };
        let window = ahead(&text.value, part.end, far);
        let unit = Unit::value(self.unit, self.base, text, part, window);
        let Gates { hits, own } = &mut self.gates;
        Catalogue::get().gate(unit.text(), hits);
        if let Some(rules) = &self.rules.own {
            rules.look(unit.text(), own);
        }
        let reading = Reading { inside: true, commands, ..reading };
        let mut scan = Scan { unit: &unit, reading, rules: self.rules, found: Vec::new() };
        scan.run(self.lines, hits, own);
        scan.across();
        if !self.given.is_empty() {
            scan.given(&self.givens, self.given, self.lines, hits);
        }
        for (range, says) in scan.found {
            if !matches!(says, Says::Hit(Hit { inert: true, .. })) {
                self.push(unit.outward(range), says, at);
            }
        }
    }

    fn push(&mut self, range: Range<usize>, says: Says, at: Option<(&Tree<'_>, NodeId)>) {
        let pointer = match (says, at) {
            (Says::Hit(_), Some((tree, node))) => Some(pointer(tree, node)),
            _ => None,
        };
        self.found.push(Found { range, says, pointer, reading: self.reading });
    }

    /// The lines from the one that holds the byte `fault` on, each read by itself.
    fn by_lines(&mut self, fault: usize, place: Place) {
        let whole = self.unit.text();
        let mut sub = Sub::Fresh;
        for line in self.unit.lines() {
            let content = &whole[line.clone()];
            let entry = sub;
            if place == Place::Code(Lang::Json) {
                sub = permission_rules(content, sub).1;
            }
            if line.end < fault {
                continue;
            }
            self.base = line.start;
            let text = Text::verbatim(content, 0..content.len());
            self.part(&text, 0..content.len(), Reading { sub: entry, ..Reading::plain(place) }, None);
            // Which of its words are a value nobody can tell any more, so all of them may speak.
            if place != Place::FrontMatter {
                self.reading += 1;
                self.scan(&text, 0..content.len(), Reading::plain(Place::Prose), None, false);
                self.reading -= 1;
            }
        }
    }
}

/// What several readings see on overlapping words by one rule is one fact: that of the first, with the pointer that one
/// of them gives.
fn once(found: &mut Vec<Found>) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|index| found[*index].range.start);
    let mut kept: HashMap<RuleId, usize> = HashMap::new();
    let mut gone = vec![false; found.len()];
    for index in order {
        let Says::Hit(Hit { rule, .. }) = found[index].says else { continue };
        let Some(known) = kept.get(&rule).copied() else {
            kept.insert(rule, index);
            continue;
        };
        let (a, b) = (&found[known], &found[index]);
        if b.range.start >= a.range.end || a.reading == b.reading {
            if b.range.end > a.range.end {
                kept.insert(rule, index);
            }
            continue;
        }
        let (first, second) = (known.min(index), known.max(index));
        gone[second] = true;
        let pointer = found[second].pointer.take();
        // What a list denies and a reference elsewhere runs is run.
        let given = matches!(found[second].says, Says::Hit(Hit { by: None, .. })) && pointer.is_some();
        let known = &mut found[first];
        if let Says::Hit(hit) = &mut known.says
            && hit.by.is_some_and(|by| by.kind == ByKind::Denied)
            && given
            && known.pointer.is_some()
            && known.pointer != pointer
        {
            (hit.by, known.pointer) = (None, None);
        }
        let first_pointer = &mut found[first].pointer;
        *first_pointer = first_pointer.take().or(pointer);
        kept.insert(rule, first);
    }
    let mut gone = gone.into_iter();
    found.retain(|_| !gone.next().unwrap_or_default());
}
