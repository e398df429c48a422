//! What runs under a name that was given further up: `a=…` and, lines below, `$a …`; a file that was fetched above.
//!
//! The line is read once more with what its names stand for in their place. What only that shows is told where the names
//! stand; what the line says as it is was told already.

use std::ops::Range;

use super::{Place, Reading, Scan};
use crate::catalogue::{Catalogue, GateHits};
use crate::facts::matching::{self, CommandHit};
use crate::facts::view::Mapped;
use crate::facts::{Hit, Record, Says};
use crate::lines::{Given, GivenKind, GivenName, Givens, Lang, reference};

/// The most names that are put in.
const MOST: usize = 16;

impl Scan<'_> {
    /// Looks for what only the names of `given` say. `hits` is the gate's.
    pub(super) fn given(
        &mut self,
        givens: &Givens,
        given: Given,
        records: &mut [Record],
        hits: &mut GateHits,
    ) {
        let text = self.unit.text();
        if !is_run(&self.reading) {
            return;
        }
        let mut found: Vec<CommandHit> = Vec::new();
        let (place, own) = (self.reading.place, self.rules.own.as_deref());
        let code =
            is_script(place) && !(text.trim_start().starts_with('#') && place != Place::Code(Lang::Console));
        if let Some(view) = named(text, givens, given, place).filter(|_| code) {
            Catalogue::get().gate(&view.text, hits);
            if hits.commands() {
                matching::scan(&view.text, place, own, &mut found);
                found.iter_mut().for_each(|hit| hit.range = view.map.source(hit.range.clone()));
            }
        }
        self.fetched(givens, given, &mut found);
        let known = |hit: &CommandHit| {
            self.found.iter().any(|(range, says)| {
                let same = matches!(says, Says::Hit(known) if known.rule == hit.rule);
                same && range.start < hit.range.end && hit.range.start < range.end
            })
        };
        let new = found.into_iter().filter(|hit| !known(hit)).map(|hit| {
            let says = Hit::new(hit.rule, hit.pattern, hit.severity);
            (hit.range, Hit { leads: hit.leads, affirmed: hit.affirmed, also: hit.also, ..says })
        });
        let new: Vec<(Range<usize>, Hit)> = new.collect();
        self.place(new, records);
    }

    /// What was fetched further up than its line can see, and is run here: by the unit, or by a code span in it.
    fn fetched(&self, givens: &Givens, given: Given, found: &mut Vec<CommandHit>) {
        let (text, place) = (self.unit.text(), self.reading.place);
        let code = is_script(place);
        let names =
            givens.names(given).filter(|known| known.kind == GivenKind::Fetched && !(code && known.near));
        for known in names.filter(|known| text.contains(known.name)) {
            let spans: Vec<&str> = match code {
                true => vec![text],
                false => {
                    text.split('`').skip(1).step_by(2).filter(|span| span.contains(known.name)).collect()
                }
            };
            for span in spans {
                let (own, from) = (known.value.len() + 1, span.as_ptr() as usize - text.as_ptr() as usize);
                let whole = format!("{}\n{span}", known.value);
                let mut hits = Vec::new();
                let place = if code { place } else { Place::Code(Lang::Shell) };
                matching::scan_ahead(&whole, own, place, &mut hits);
                let start = from + (span.len() - span.trim_start().len());
                found.extend(hits.into_iter().map(|hit| {
                    let end = from + (hit.range.end - own);
                    CommandHit { range: start..end.max(start), ..hit }
                }));
            }
        }
    }
}

/// Whether what the unit says is run: as the code of a shell, or by whoever reads it.
fn is_run(reading: &Reading) -> bool {
    let told = matches!(reading.place, Place::Prose | Place::Item | Place::Row) && !reading.inside;
    reading.commands && !reading.inert && reading.record.is_none() && (told || is_script(reading.place))
}

fn is_script(place: Place) -> bool {
    use Lang::{Cmd, Console, Makefile, PowerShell, Shell, Unknown};
    matches!(place, Place::Code(Shell | Unknown | Console | PowerShell | Cmd | Makefile))
}

/// `text` with what its names stand for in their place, if it has any.
fn named(text: &str, givens: &Givens, given: Given, place: Place) -> Option<Mapped> {
    let mut view = Mapped::new();
    let (mut at, mut count) = (0, 0);
    if let Some((range, value)) = alias(text, givens, given) {
        view.push_verbatim(&text[..range.start], 0);
        view.push_replaced(value, range.clone());
        (at, count) = (range.end, 1);
    }
    let sign = if place == Place::Code(Lang::Cmd) { '%' } else { '$' };
    let mut from = at;
    while let Some(found) = text[from..].find(sign).filter(|_| count < MOST) {
        let start = from + found;
        let name = if sign == '%' {
            let inner = &text[start + 1..];
            inner.find('%').map(|end| (&inner[..end], end + 2))
        } else if let (Place::Code(Lang::Makefile), Some(inner)) = (place, text[start..].strip_prefix("$(")) {
            inner.find(')').map(|end| (&inner[..end], end + 3))
        } else {
            reference(&text[start..])
        };
        // What the line itself gives anew, it says itself.
        let anew = |name: &str| {
            text[..start].match_indices(name).any(|(at, _)| text[at + name.len()..].starts_with('='))
        };
        let known = name.filter(|(name, _)| !anew(name));
        let known = known.and_then(|(name, len)| Some((givens.variable_of(given, name)?, len)));
        let Some((value, len)) = known else {
            from = start + 1;
            continue;
        };
        // In quotes a list is all its words, and a variable one.
        let list = text[start..start + len].contains('@');
        let (start, end) = match list && text[..start].ends_with('"') && text[start + len..].starts_with('"')
        {
            true => (start - 1, start + len + 1),
            false => (start, start + len),
        };
        view.push_verbatim(&text[at..start], at);
        view.push_replaced(value, start..end);
        (at, from, count) = (end, end, count + 1);
    }
    if count == 0 {
        return None;
    }
    view.push_verbatim(&text[at..], at);
    Some(view)
}

/// The alias with which the command of `text` begins: where it stands, and what it stands for.
fn alias<'g>(text: &str, givens: &'g Givens, given: Given) -> Option<(Range<usize>, &'g str)> {
    let mut names = givens.names(given).filter(|known| known.kind == GivenKind::Alias).peekable();
    names.peek()?;
    let mut rest = text.trim_start();
    for word in ["$ ", "# ", "> ", "% ", "PS> ", "sudo "] {
        rest = rest.strip_prefix(word).unwrap_or(rest).trim_start();
    }
    let start = text.len() - rest.len();
    let is = |known: &GivenName<'g>| {
        rest.strip_prefix(known.name).is_some_and(|behind| behind.starts_with(char::is_whitespace))
    };
    let known = names.find(is)?;
    Some((start..start + known.name.len(), known.value))
}
