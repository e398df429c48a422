//! Whatever the text, reading it ends, stays within it, and costs what its length costs.

use proptest::prelude::*;

use super::*;
use crate::facts::matching::scan;
use crate::lines::Lang;

const PLACES: [Place; 17] = [
    Place::Code(Lang::Unknown),
    Place::Code(Lang::Shell),
    Place::Code(Lang::Console),
    Place::Code(Lang::PowerShell),
    Place::Code(Lang::Cmd),
    Place::Code(Lang::Sql),
    Place::Code(Lang::Dockerfile),
    Place::Code(Lang::Yaml),
    Place::Code(Lang::Json),
    Place::Code(Lang::Python),
    Place::Code(Lang::JavaScript),
    Place::Code(Lang::Markdown),
    Place::HereDoc,
    Place::Prose,
    Place::Item,
    Place::Row,
    Place::FrontMatter,
];

/// Pieces that mean something to one reader or another, and some that only have an odd length.
const PIECES: &[&str] = &[
    "'",
    "\"",
    "`",
    "``",
    "\\",
    "^",
    "$",
    "$(",
    "${",
    "$((",
    "$'",
    "<(",
    ">(",
    "(",
    ")",
    "{",
    "}",
    "{{",
    "}}",
    "[",
    "]",
    "<",
    ">",
    ">>",
    "<<",
    "<<-",
    "<<<",
    "|",
    "||",
    "&",
    "&&",
    ";",
    ";;",
    "#",
    "<#",
    "#>",
    "\n",
    "\r",
    " ",
    "\t",
    "*",
    "?",
    "~",
    "%",
    "@",
    "!",
    "=",
    "-",
    "--",
    ".",
    ",",
    ":",
    "/",
    "\u{E9}",
    "\u{4E2D}",
    "\u{1F680}",
    "\u{A0}",
    "\u{201C}",
    "\u{2019}",
    "rm",
    "-rf",
    "sudo",
    "bash",
    "-c",
    "eval",
    "EOF",
    "cat",
    "find",
    "-exec",
    "if",
    "do",
    "done",
    "case",
    "xargs",
    "run",
    "psql",
    "DROP",
    "TABLE",
    "iex",
    "RUN",
    "run:",
    "$ ",
    "PS C:\\>",
    "a@b:~$ ",
    "os.system(",
    "\\|",
    "/*",
    "ssh",
    "h",
];

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

fn check(unit: &str, place: Place) {
    let within = |range: &Range<usize>| {
        assert!(range.start <= range.end && range.end <= unit.len(), "{range:?} in {place:?}: {unit:?}");
        assert!(unit.get(range.clone()).is_some(), "{range:?} splits a character in {place:?}: {unit:?}");
    };
    for candidate in candidates(unit, place) {
        let script = &candidate.script;
        for (at, simple) in script.commands.iter().enumerate() {
            within(&simple.span);
            assert!(simple.parent.is_none_or(|parent| parent.command < at), "{unit:?}");
            for word in simple.words.iter().chain(&simple.assignments) {
                within(&word.span);
                for (from, _) in word.value.char_indices() {
                    within(&word.locate(from..word.value.len()));
                }
            }
            simple.redirects.iter().for_each(|redirect| within(&redirect.target.span));
            if let Feed::HereDoc(doc) = &simple.feed {
                within(&doc.body);
            }
        }
        for pipeline in &script.pipelines {
            within(&pipeline.span);
            assert!(pipeline.stages.iter().all(|stage| *stage < script.commands.len()));
        }
    }
    let mut hits = Vec::new();
    scan(unit, place, None, &mut hits);
    hits.iter().for_each(|hit| within(&hit.range));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(unit in text(), place in proptest::sample::select(&PLACES[..])) {
        check(&unit, place);
    }

    #[test]
    fn any_characters_are_read(unit in "\\PC{0,60}", place in proptest::sample::select(&PLACES[..])) {
        check(&unit, place);
    }
}

/// What reads as one byte or as none may be more in the text: a blank of two bytes between words that are joined, a dash
/// of three, a blank behind a prompt.
#[test]
fn what_is_read_as_one_byte_keeps_its_place() {
    for unit in [
        "eval\rPS C:\\>\u{a0}~do",
        "\" \u{fe58}A",
        "['PS C:\\>\u{a0}",
        "eval \"a\u{2013}\" b",
        "H=&\n$H\u{10820}",
        "H=rm;\u{e9}${H}\u{e9} $H\u{e9}$H x",
    ] {
        for place in PLACES {
            check(unit, place);
        }
    }
}

/// The number of commands and words that are read is the measure of the work: it must not outgrow the text.
#[test]
fn a_prompt_within_an_inner_command_is_cut_at_characters() {
    for place in PLACES {
        check("eval\rPS C:\\>\u{a0}~do!?findcat>>*if=PS C:\\>rundo &PS C:\\>", place);
    }
}

#[test]
fn the_work_stays_in_proportion() {
    for piece in PIECES
        .iter()
        .chain(&["$(a ", "\"$(", "'$(' \"", "sh -c \"", "`a", "<<a ", "<<a\n", "${", "/*", "(a", "a|"])
    {
        let unit = piece.repeat(20_000 / piece.len());
        for place in PLACES {
            let found = candidates(&unit, place);
            let words: usize =
                found.iter().flat_map(|c| &c.script.commands).map(|simple| 1 + simple.words.len()).sum();
            assert!(
                words <= 24 * unit.len() + 64,
                "{words} words from {} bytes of {piece:?} in {place:?}",
                unit.len()
            );
        }
    }
}

/// Lines that mean something to the state between lines.
const LINES: &[&str] = &[
    "ls",
    "ls \\",
    "a |",
    "b &&",
    "echo 'open",
    "close' x",
    "echo \"open",
    "close\" y",
    "# a comment \\",
    "# don't",
    "cat <<E",
    "bash <<'E'",
    "cat <<E <<F",
    "F",
    "E",
    "cat > f <<-E",
    "\tE",
    "x' \"",
    "",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    /// A script read line by line, as the state between its lines divides it, shows what the script read whole shows.
    #[test]
    fn units_show_what_the_whole_shows(lines in proptest::collection::vec(proptest::sample::select(LINES), 0..8)) {
        use crate::lines::{Names, Sub, advance};
        let danger = "rm -rf danger";
        let mut lines = lines;
        lines.push(danger);
        let names_of = |text: &str| -> Vec<String> {
            candidates(text, Place::Code(Lang::Shell))
                .iter()
                .flat_map(|candidate| &candidate.script.commands)
                .map(|simple| simple.program.clone())
                .collect()
        };
        let (mut sub, mut names) = (Sub::Fresh, Names::default());
        let mut unit = String::new();
        let mut apart = Vec::new();
        for line in &lines {
            if !sub.goes_on() {
                apart.extend(names_of(&unit));
                unit.clear();
            }
            if !unit.is_empty() {
                unit.push('\n');
            }
            unit.push_str(line);
            sub = advance(sub, Lang::Shell, line, &mut names);
        }
        apart.extend(names_of(&unit));
        // what the whole shows, the units show: nothing is hidden by how a fence is divided
        if names_of(&lines.join("\n")).iter().any(|name| name == "rm") {
            prop_assert!(apart.iter().any(|name| name == "rm"), "{lines:?} {apart:?}");
        }
    }
}
