//! Line reading equals pulldown-cmark's on the stated subset of CommonMark.
//!
//! The subset is stated in `server/analysis/lines/lex.rs`. Left out of the documents made here: link reference
//! definitions, lone CR (pulldown-cmark mishandles it) and CRLF inside front matter's first line.

mod oracle;

use proptest::prelude::*;

fn indent() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", "", " ", "  ", "   ", "    ", "     "])
}

fn container() -> impl Strategy<Value = String> {
    let marker =
        prop::sample::select(vec!["", "", "", "> ", ">", "- ", "* ", "1. ", "2) ", "10. ", "-   ", "-\t"]);
    (indent(), marker).prop_map(|(indent, marker)| format!("{indent}{marker}"))
}

fn content() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        "",
        "text",
        "more text",
        "# heading",
        "####### seven",
        "#tag",
        "===",
        "---",
        "- - -",
        "***",
        "_ _ _",
        "```",
        "```sh",
        "````",
        "``` a`b",
        "~~~",
        "~~~ x",
        "~~~~",
        "<div>",
        "</div>",
        "<!-- open",
        "close -->",
        "<!-- whole -->",
        "<span>",
        "<pre>",
        "</pre> x",
        "<?php",
        "?>",
        "<!X y>",
        "<a href=\"x\">",
        "| a | b |",
        "|---|---|",
        "|-|",
        "|:-:|-:|",
        "-",
        "+",
        "1.",
        "rm -rf outputs",
        "Never run these commands:",
    ])
}

fn line() -> impl Strategy<Value = String> {
    (container(), container(), content()).prop_map(|(a, b, text)| {
        // Where GFM and pulldown-cmark differ on tables: a bullet, a number or four columns before the first pipe of a
        // line that continues a paragraph. Such rows stand at the margin or in quotes here.
        let prefix: String =
            format!("{a}{b}").chars().filter(|c| !text.starts_with('|') || *c == '>').collect();
        format!("{}\n", format!("{prefix}{text}").trim_end())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_line_is_read_as_pulldown_cmark_reads_it(lines in prop::collection::vec(line(), 1..10)) {
        // An empty first line: front matter is not the matter here.
        let text = format!("\n{}", lines.concat());
        prop_assert_eq!(oracle::difference(&text), None, "{:?}", text);
    }
}
