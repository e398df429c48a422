//! The matcher held against hand-made scripts: what depends on the reader is tested with the catalogue's examples.

use super::super::command::{Pipeline, Place};
use super::*;
use crate::lines::Lang;

fn words(texts: &[&str]) -> Vec<Word> {
    let mut at = 0;
    texts
        .iter()
        .map(|text| {
            let span = at..at + text.len();
            at += text.len() + 1;
            let mut word = Word::default();
            (word.value, word.span, word.expands) = ((*text).to_owned(), span, text.contains('$'));
            word
        })
        .collect()
}

fn simple(text: &str) -> Simple {
    let texts: Vec<&str> = text.split(' ').collect();
    Simple { span: 0..text.len(), program: texts[0].to_owned(), words: words(&texts), ..Simple::default() }
}

fn candidate(commands: Vec<Simple>) -> Candidate {
    let pipelines =
        (0..commands.len()).map(|at| Pipeline { span: commands[at].span.clone(), stages: vec![at] });
    let script = Script { pipelines: pipelines.collect(), commands, ..Script::default() }.finished();
    Candidate { script, leads: false, affirmed: false, bare: false }
}

fn found(candidate: &Candidate) -> Vec<(&'static str, &'static str, Severity)> {
    let mut hits = Vec::new();
    match_candidate(candidate, None, &mut hits);
    hits.into_iter().map(|hit| (hit.rule.name(), hit.pattern, hit.severity)).collect()
}

#[test]
fn options_in_every_form() {
    let hits = [
        "rm -rf x",
        "rm -r -f x",
        "rm x -fr",
        "rm --recursive x",
        "rm --rec x",
        "rm -Rv -- x",
        "rm -i -rf x",
    ];
    for text in hits {
        assert_eq!(
            found(&candidate(vec![simple(text)])),
            [("rm-rf", "rm-recursive", Severity::Error)],
            "{text}"
        );
    }
    let quiet =
        ["rm x", "rm -f x", "rm -ri x", "rm -rf -i x", "rm -- -rf", "rm -rf --help x", "rm -r", "RM x"];
    for text in quiet {
        assert_eq!(found(&candidate(vec![simple(text)])), [], "{text}");
    }
}

#[test]
fn a_value_that_looks_like_an_option_is_none() {
    assert_eq!(found(&candidate(vec![simple("git clean -d -e -f")])), []);
    assert_eq!(found(&candidate(vec![simple("git clean -d --exclude -f")])), []);
    assert_eq!(found(&candidate(vec![simple("git clean -d --exclude=a -f")])).len(), 1);
    assert_eq!(found(&candidate(vec![simple("git -C clean push -f")])).len(), 1);
}

#[test]
fn bare_words_of_a_sentence_need_more_than_a_name() {
    let bare = |text: &str| {
        let mut candidate = candidate(vec![simple(text)]);
        candidate.bare = true;
        found(&candidate).len()
    };
    assert_eq!(bare("rm -rf outputs"), 1);
    assert_eq!(bare("chmod 777 run.sh"), 1);
}

#[test]
fn redirections_alone_have_a_range() {
    let mut hits = Vec::new();
    super::scan("> > /dev/sda )", Place::Code(Lang::Shell), None, &mut hits);
    assert!(!hits.is_empty() && hits.iter().all(|hit| !hit.range.is_empty()), "{hits:?}");
}

proptest::proptest! {
    /// Whatever is read, a hit stands in the text, on whole characters, and names an entry of its rule.
    #[test]
    fn every_hit_stands_in_the_text(parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..24)) {
        let text = parts.concat();
        for place in [Place::Code(Lang::Shell), Place::Code(Lang::PowerShell), Place::Code(Lang::Cmd), Place::Prose, Place::Item] {
            let mut hits = Vec::new();
            super::scan(&text, place, None, &mut hits);
            for hit in hits {
                proptest::prop_assert!(text.get(hit.range.clone()).is_some_and(|words| !words.is_empty()), "{hit:?}");
                let rule = Catalogue::get().rule(hit.rule);
                proptest::prop_assert!(rule.commands.iter().any(|entry| entry.id == hit.pattern));
                proptest::prop_assert!(hit.severity >= Severity::Warning);
            }
        }
    }
}

const PARTS: &[&str] = &[
    "rm ",
    "-rf ",
    "-",
    "-- ",
    "--force=",
    "data ",
    "| ",
    "sudo ",
    "$(",
    ")",
    "<(",
    "curl https://example.com/i ",
    "sh ",
    "-c ",
    "\"",
    "'",
    "`",
    "; ",
    "\n",
    "\u{a0}",
    "é",
    "*",
    "kubectl ",
    "delete ",
    "find . ",
    "-exec ",
    "{} \\; ",
    "xargs ",
    "git push ",
    "+x ",
    "> ",
    "/dev/sda ",
    "/etc/hosts ",
    "base64 -d ",
    "psql -c ",
    "DROP TABLE a",
    "iex ",
    "rd /s ",
    "/",
    "Remove-Item x -Recurse ",
    "echo ",
    "eval ",
    "bash ",
    "**",
    "run ",
];
