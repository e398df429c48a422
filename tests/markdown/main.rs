//! Line reading equals pulldown-cmark's on the stated subset of CommonMark.
//!
//! The subset is stated in `server/analysis/lines/lex.rs`. Left out of the documents made here: link reference
//! definitions, lone CR (pulldown-cmark mishandles it) and CRLF inside front matter's first line.

mod oracle;

use std::path::{Path, PathBuf};

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
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_line_is_read_as_pulldown_cmark_reads_it(lines in prop::collection::vec(line(), 1..10)) {
        // An empty first line: front matter is not the matter here.
        let text = format!("\n{}", lines.concat());
        prop_assert_eq!(oracle::difference(&text), None, "{:?}", text);
    }
}

/// Real documents: those under `fixtures`, or under the folder that `CAVEAT_CORPUS` names, where the share is printed.
#[test]
fn real_files_are_read_as_pulldown_cmark_reads_them() {
    let named = std::env::var_os("CAVEAT_CORPUS");
    let folder =
        named.clone().map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"), PathBuf::from);
    let mut texts = Vec::new();
    markdown_files(&folder, &mut texts);
    assert!(!texts.is_empty(), "no Markdown under the folder");
    let mut lines = (0, 0);
    let mut differ = Vec::new();
    for (path, text) in &texts {
        // pulldown-cmark mishandles a lone CR: both are asked about LF.
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let (compared, different) = oracle::share(&text);
        lines = (lines.0 + compared, lines.1 + different);
        if let Some(first) = oracle::difference(&text) {
            differ.push((path, first));
        }
    }
    if named.is_some() {
        eprintln!("{} files, {} lines, {} lines differ", texts.len(), lines.0, lines.1);
        for (path, (line, ours, theirs)) in &differ {
            eprintln!("{}:{}: {ours:?}, {theirs:?}", path.display(), line + 1);
        }
    } else {
        assert!(differ.is_empty(), "{differ:?}");
    }
}

fn markdown_files(folder: &Path, texts: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            markdown_files(&path, texts);
        } else if path.extension().is_some_and(|ending| ending == "md")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            texts.push((path, text));
        }
    }
}
