//! What may be typed next in a `caveat.toml`: keys, rules, severities. The text is half written, so it is read line by
//! line and not as TOML; what is offered is always a word of ours.

use std::ops::Range;

use caveat_analysis::catalogue::{Catalogue, Group};

use super::keys::{self, Key};

/// Something that may be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// What it is.
    pub kind: OfferKind,
    /// What to write, in place of [`Offers::replaces`].
    pub text: String,
    /// What to say of it, in one line.
    pub about: String,
}

/// The kinds of [`Offer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    /// A key, or a table's head.
    Key,
    /// A rule's id.
    Rule,
    /// A value.
    Value,
}

/// What may be typed at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// The bytes of the text that an offer takes the place of.
    pub replaces: Range<usize>,
    /// The offers, in the order in which they are to be shown.
    pub offers: Vec<Offer>,
}

/// What may be typed at byte `at` of `text`, the content of a `caveat.toml`.
#[must_use]
pub fn complete(text: &str, at: usize) -> Offers {
    let Some(before) = text.get(..at) else { return Offers::default() };
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = &before[start..];
    if line.trim_start().starts_with('#') {
        return Offers::default();
    }
    let table = before[..start].lines().rev().find_map(head).unwrap_or_default();
    if let Some(name) = line.trim_start().strip_prefix('[') {
        let name = name.trim_start_matches('[');
        return offers(at - name.len()..at, heads(table, line.trim_start().len() - name.len()));
    }
    match line.split_once('=') {
        None => {
            let name = line.trim_start();
            offers(at - name.len()..at, names(table))
        }
        Some((key, value)) => {
            let value = value.trim_start();
            // A list or an inline table is offered nothing as a whole.
            let word = value.rsplit(['{', ',', '[']).next().unwrap_or(value).trim_start();
            let (key, word) = match word.split_once('=') {
                Some((inner, word)) => (inner.trim(), word.trim_start()),
                None if word.len() == value.len() => (key.trim(), word),
                None if table == "rules" => {
                    return offers(at - word.len()..at, reasoned());
                }
                None => return Offers::default(),
            };
            offers(at - word.len()..at, values(table, key))
        }
    }
}

fn offers(replaces: Range<usize>, offers: Vec<Offer>) -> Offers {
    Offers { replaces, offers }
}

/// The table that a line opens.
fn head(line: &str) -> Option<&str> {
    let line = line.trim();
    let inner = line.strip_prefix('[')?.trim_start_matches('[');
    Some(inner.split(']').next().unwrap_or(inner).trim())
}

fn offer(key: &Key, text: &str) -> Offer {
    Offer { kind: OfferKind::Key, text: text.to_owned(), about: format!("takes {}", key.takes) }
}

/// Whether the key stands in a list of tables: `[[…]]`.
fn is_list(key: &Key) -> bool {
    key.takes.starts_with("a list of tables")
}

fn has_keys(key: &Key) -> bool {
    key.path == "rules" || keys::children(key.path).next().is_some()
}

/// The heads that may stand behind `open` brackets; those below the table at hand among them.
fn heads(table: &str, open: usize) -> Vec<Offer> {
    let near = |key: &&Key| !key.path.contains('.') || key.path.starts_with(&format!("{table}."));
    let fits = |key: &&Key| if open > 1 { is_list(key) } else { !is_list(key) };
    let heads = keys::KEYS.iter().filter(|key| has_keys(key)).filter(near).filter(fits);
    heads.map(|key| offer(key, key.path)).collect()
}

/// The names that may stand in `table`.
fn names(table: &str) -> Vec<Offer> {
    if table == "rules" {
        return rules()
            .map(|(id, about)| Offer { kind: OfferKind::Rule, text: id.to_owned(), about })
            .collect();
    }
    let below = |key: &&Key| key.path.rsplit_once('.').map_or("", |(table, _)| table) == table;
    let names = keys::KEYS.iter().filter(below).filter(|key| !has_keys(key));
    names.map(|key| offer(key, key.path.rsplit('.').next().unwrap_or(key.path))).collect()
}

fn rules() -> impl Iterator<Item = (&'static str, String)> {
    Catalogue::get().rules().map(|(id, rule)| {
        (id.name(), format!("{}, {}: {}", rule.group.name(), rule.severity.name(), rule.summary))
    })
}

fn words(words: &[(&str, &str)]) -> Vec<Offer> {
    let offer = |(word, about): &(&str, &str)| Offer {
        kind: OfferKind::Value,
        text: format!("\"{word}\""),
        about: (*about).to_owned(),
    };
    words.iter().map(offer).collect()
}

/// The keys of an entry of `[rules]` that is a table.
fn reasoned() -> Vec<Offer> {
    let offer = |(text, about): (&str, &str)| Offer {
        kind: OfferKind::Key,
        text: text.to_owned(),
        about: about.to_owned(),
    };
    [("severity", "takes a severity, or \"off\""), ("reason", "takes a string: why")].map(offer).to_vec()
}

const SEVERITIES: [(&str, &str); 3] =
    [("error", "to be mended: fails a run"), ("warning", "worth a look"), ("info", "worth knowing")];
const OFF: (&str, &str) = ("off", "not looked for; takes a reason");

/// What the key `key` of `table` may have as its value.
fn values(table: &str, key: &str) -> Vec<Offer> {
    match (table, key) {
        ("", "stance") => words(&[("on", "what is shown is information"), ("off", "what is shown is given")]),
        ("suppressions", "rule") => rules()
            .map(|(id, about)| Offer { kind: OfferKind::Rule, text: format!("\"{id}\""), about })
            .collect(),
        ("rules", "reason") => Vec::new(),
        ("rules", "severity") => words(&[&SEVERITIES[..], &[OFF]].concat()),
        ("rules", rule) => {
            let notice = Catalogue::get().by_name(rule).is_some_and(|id| id.rule().group == Group::Notice);
            let mut offers = words(&SEVERITIES[usize::from(notice)..]);
            offers.push(Offer {
                kind: OfferKind::Value,
                text: "{ severity = \"off\", reason = \"\" }".to_owned(),
                about: OFF.1.to_owned(),
            });
            offers
        }
        ("commands" | "commands.severity_when" | "phrases", "severity") => words(&SEVERITIES[..2]),
        ("commands", "style") => words(&[
            ("gnu", "-rf, --force"),
            ("go", "-auto-approve"),
            ("powershell", "-Recurse"),
            ("slash", "/s /q"),
            ("words", "every word counts as it stands"),
        ]),
        ("phrases", "order") => words(&[
            ("fixed", "as they are listed"),
            ("free", "any"),
            ("frame", "any, anywhere in one sentence"),
        ]),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what is offered at `‸` of `marked`: what it replaces, and the first offers and their number.
    #[track_caller]
    fn check(marked: &str, replaced: &str, first: &[&str], number: usize) {
        let at = marked.find('‸').expect("a caret");
        let text = marked.replace('‸', "");
        let found = complete(&text, at);
        let texts: Vec<&str> = found.offers.iter().map(|offer| offer.text.as_str()).collect();
        assert_eq!(
            (texts.get(..first.len().min(texts.len())), texts.len()),
            (Some(first), number),
            "{marked}"
        );
        if number > 0 {
            assert_eq!(&text[found.replaces], replaced, "{marked}");
        }
        assert!(found.offers.iter().all(|offer| !offer.about.is_empty() && !offer.about.contains('\n')));
    }

    #[test]
    fn what_fits_is_offered() {
        let all = Catalogue::get().rules().len();
        check("‸", "", &["labels", "stance", "include", "exclude", "untrusted"], 5);
        check("lab‸", "lab", &["labels"], 5);
        check("[ro‸", "ro", &["roles", "rules", "limits"], 3);
        check("[[‸", "", &["suppressions", "commands", "phrases"], 3);
        check("[roles]\n  in‸", "in", &["instructions", "runbook", "reference"], 3);
        check("[rules]\nrm‸", "rm", &["rm-rf"], all);
        check("[rules]\nrm-rf = ‸", "", &["\"error\"", "\"warning\"", "\"info\""], 4);
        check("[rules]\nscan-skipped = ‸", "", &["\"warning\"", "\"info\""], 3);
        check("[rules]\nrm-rf = { ‸", "", &["severity", "reason"], 2);
        check("[rules]\nrm-rf = { severity = \"o‸", "\"o", &["\"error\""], 4);
        check(
            "[[suppressions]]\n‸",
            "",
            &["rule", "reason", "expires", "paths", "pointer", "fingerprint"],
            6,
        );
        check("[[suppressions]]\nrule = \"mk‸", "\"mk", &["\"rm-rf\""], all);
        check("stance = ‸", "", &["\"on\"", "\"off\""], 2);
        check("[[commands]]\nseverity = ‸", "", &["\"error\"", "\"warning\""], 2);
        check("[[commands]]\n[[commands.l‸", "commands.l", &["suppressions", "commands"], 6);
    }

    #[test]
    fn where_nothing_fits_nothing_is_offered() {
        check("# st‸", "", &[], 0);
        check("labels = [\"‸", "", &[], 0);
        check("[rules]\nrm-rf = { reason = \"‸", "", &[], 0);
        check("[hunter2]\nx‸", "", &[], 0);
        assert_eq!(complete("é", 1), Offers::default());
        assert_eq!(complete("", 7), Offers::default());
    }
}
