//! The second opinion: where tree-sitter-bash parses a snippet without an error, it must see no command that we do not.
//!
//! Agreement: for each simple command that tree-sitter sees outside of substitutions and here-documents, we see one
//! whose program word has the same span. (The snippets hold no wrappers, which tree-sitter does not know.)

use proptest::prelude::*;
use tree_sitter::{Node, Parser};

use crate::facts::command::{Place, candidates};
use crate::lines::Lang;

/// Words of a command, some of them hard.
const WORDS: &[&str] = &[
    "a",
    "-rf",
    "--force",
    "/srv/data",
    "'b c'",
    "\"d e\"",
    "\"$HOME\"",
    "$X",
    "${Y:-z}",
    "f\\ g",
    "h'i'\"j\"",
    "$(pwd)",
    "\"$(date +%s)\"",
    "`id`",
    "<(ls)",
    "*.log",
    "k=l",
    "é",
    "~/m",
    "$'n\\n'",
    "a#b",
];

const PROGRAMS: &[&str] = &["rm", "git", "ls", "./run.sh", "\"tool\"", "mk'dir'", "/bin/cp", "tool-x"];

const REDIRECTS: &[&str] = &["> out", ">> log", "2>&1", "< in", "2> /dev/null", "&> all", "<<< \"x y\""];

fn simple() -> impl Strategy<Value = String> {
    let words = proptest::collection::vec(proptest::sample::select(WORDS), 0..4);
    let redirect = proptest::option::weighted(0.2, proptest::sample::select(REDIRECTS));
    let assigns = proptest::option::weighted(0.15, Just("V=1"));
    (assigns, proptest::sample::select(PROGRAMS), words, redirect).prop_map(
        |(assign, program, words, redirect)| {
            let parts = assign.into_iter().chain([program]).chain(words).chain(redirect);
            parts.collect::<Vec<_>>().join(" ")
        },
    )
}

fn script() -> impl Strategy<Value = String> {
    simple().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (
                inner.clone(),
                proptest::sample::select(&[" | ", " && ", " || ", "; ", "\n", " |\n", " & "][..]),
                inner.clone()
            )
                .prop_map(|(a, joint, b)| format!("{a}{joint}{b}")),
            inner.clone().prop_map(|a| format!("( {a} )")),
            inner.clone().prop_map(|a| format!("{{ {a}; }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("if {a}; then {b}; fi")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("while {a}; do\n{b}\ndone")),
            inner.clone().prop_map(|a| format!("for v in 1 2; do {a}; done")),
            // tree-sitter takes the brace of `! { a; }` for a program
            simple().prop_map(|a| format!("! {a}")),
            inner.clone().prop_map(|a| format!("# note\n{a}")),
            inner.clone().prop_map(|a| format!("cat <<'E'\nrm text\nE\n{a}")),
        ]
    })
}

/// The byte ranges of the program words that tree-sitter sees, as said above.
fn programs(node: Node<'_>, found: &mut Vec<std::ops::Range<usize>>) {
    match node.kind() {
        "command_substitution" | "process_substitution" | "heredoc_redirect" | "string" => return,
        "command_name" => found.push(node.byte_range()),
        _ => {}
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        programs(child, found);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2_500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_command_that_tree_sitter_sees_is_missed(text in script()) {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_bash::LANGUAGE.into()).expect("a grammar of the library's version");
        let tree = parser.parse(&text, None).expect("a language is set and nothing cancels");
        prop_assume!(!tree.root_node().has_error());
        let mut wanted = Vec::new();
        programs(tree.root_node(), &mut wanted);
        prop_assert!(!wanted.is_empty(), "{text:?}");
        let found = candidates(&text, Place::Code(Lang::Shell));
        let commands = || found.iter().flat_map(|candidate| &candidate.script.commands);
        for span in wanted {
            let ours = commands().any(|simple| simple.words.first().is_some_and(|word| word.span == span));
            prop_assert!(ours, "{:?} of {text:?}", &text[span.clone()]);
        }
    }
}
