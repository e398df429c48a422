//! What the catalogue finds, torn apart: after any edits, in every language, the findings are those of a fresh reading.
//!
//! The examples of the rules, hostile and honest, are cut where it hurts and set into whatever a document of the language
//! has around text, so that hits reach over lines, containers, values and the ends of both.

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;

use super::tests::env;
use super::*;
use crate::catalogue::Catalogue;
use crate::text::Position;
use crate::verdict::Role;

/// Every example of every rule.
static EXAMPLES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let mut all: Vec<&str> = Vec::new();
    for (_, rule) in Catalogue::get().rules() {
        let commands = rule.commands.iter().map(|entry| (&entry.hits, &entry.honest));
        let phrases = rule.phrases.iter().map(|entry| (&entry.hits, &entry.honest));
        let patterns = rule.patterns.iter().map(|entry| (&entry.hits, &entry.honest));
        for (hits, honest) in commands.chain(phrases).chain(patterns) {
            all.extend(hits.iter().chain(honest).map(|example| example.text.as_str()));
        }
    }
    all
});

/// What may stand around text, in any of the languages.
const AROUND: [&str; 44] = [
    "",
    "",
    "",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " ",
    "`",
    "\"",
    "'",
    "\u{201c}",
    "\u{201d}",
    "- ",
    "> ",
    "# ",
    "| ",
    " | ",
    "```\n",
    "```sh\n",
    "```yaml\n",
    "<!-- ",
    " -->",
    "<p hidden>",
    "</p>",
    "{\"run\": \"",
    "\", \"",
    "\"}",
    "[\"",
    "\"]\n",
    "run: ",
    "run: |\n  ",
    "- '",
    "key = \"",
    "\"\n",
    "'''\n",
    "---\n",
    "\u{feff}",
    "\u{200b}",
    "\u{202e}",
    "This hook flags \"",
    "Never run these commands:\n",
];

const LANGUAGES: [Language; 11] = [
    Language::Markdown,
    Language::Json,
    Language::JsonLines,
    Language::Yaml,
    Language::Toml,
    Language::Markup,
    Language::Text,
    Language::Script(Lang::Shell),
    Language::Script(Lang::Python),
    Language::Script(Lang::Makefile),
    Language::Script(Lang::PowerShell),
];

/// Some words of an example, or all of them, between two things that stand around text.
fn piece() -> impl Strategy<Value = String> {
    let around = || prop::sample::select(&AROUND[..]);
    let example = any::<prop::sample::Index>().prop_map(|index| *index.get(&EXAMPLES));
    (around(), example, any::<(prop::sample::Index, prop::sample::Index)>(), 0..3u8, around()).prop_map(
        |(front, example, (from, to), cut, behind)| {
            let ends: Vec<usize> = example.char_indices().map(|(at, _)| at).chain([example.len()]).collect();
            let (from, to) = (*from.get(&ends), *to.get(&ends));
            match cut {
                0 => format!("{front}{example}{behind}"),
                1 => format!("{front}{}\n{}{behind}", &example[..from], &example[from..]),
                _ => format!("{front}{}{behind}", &example[from.min(to)..from.max(to)]),
            }
        },
    )
}

fn text(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..most).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(crate::cases(3000))]

    #[test]
    fn findings_after_any_edits_equal_a_fresh_reading(
        start in text(12),
        language in prop::sample::select(&LANGUAGES[..]),
        edits in prop::collection::vec((0u32..24, 0u32..60, 0u32..3, 0u32..60, text(3), any::<bool>()), 1..5),
    ) {
        let mut document = Document::new(&start, language, Arc::default());
        for (line, column, lines, end_column, text, settle) in edits {
            let range = (Position { line, column }, Position { line: line + lines, column: end_column });
            document.apply(&Edit { range: Some(range), text }, Encoding::Utf16);
            if settle {
                document.settle();
            }
        }
        document.settle();
        let text = document.text.to_string();
        let mut fresh = Document::new(&text, language, Arc::default());
        for role in [Role::Instructions, Role::Reference { declared: true }] {
            let env = Env { role, ..env() };
            let findings = document.snapshot().findings(&env);
            prop_assert_eq!(&findings, &fresh.snapshot().findings(&env), "{:?}", text);
            for finding in &findings {
                let span = &finding.span;
                let (first, last) = (document.text.line(span.line), document.text.line(span.end_line));
                let whole = first.is_char_boundary(span.column) && last.is_char_boundary(span.end_column);
                prop_assert!(whole && span.length > 0, "{:?} in {:?}", span, text);
            }
        }
    }
}
