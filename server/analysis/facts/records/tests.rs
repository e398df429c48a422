//! Records as tables: every string with its pointer, its value, and the bytes that it came from.

use proptest::prelude::*;

use super::tree::{Text, What};
use super::*;

/// A string as a table's row: pointer, value, source.
fn row(unit: &str, pointer: &str, text: &Text<'_>) -> String {
    let source = text.source(0..text.value.len());
    format!("{pointer} {:?} {:?}", text.value, &unit[source])
}

fn rows(unit: &str, format: Format) -> (Vec<String>, Option<usize>) {
    let tree = read(unit, format);
    let mut rows = Vec::new();
    for (id, node) in tree.nodes.iter().enumerate() {
        if let What::Scalar(text) = &node.what {
            rows.push(row(unit, &tree.pointer(id as NodeId, true), text));
        }
    }
    rows.extend(tree.comments.iter().map(|text| row(unit, "#", text)));
    (rows, tree.fault)
}

#[track_caller]
fn check(format: Format, unit: &str, expected: &[&str]) {
    assert_eq!(rows(unit, format), (expected.iter().map(|row| (*row).to_owned()).collect(), None), "{unit}");
}

/// What a pointer shows of a key is a name, and no sentence.
#[test]
fn a_pointer_shows_names_and_no_sentences() {
    let cases = [
        ("command", true),
        ("runs-on", true),
        ("post_create.command", true),
        ("beforeShellExecution", true),
        ("mcpHTTPServers", true),
        ("x1", true),
        ("ignore-all-previous-instructions", false),
        ("ignore_all.previous-rules", false),
        ("ignoreAllPreviousRules", false),
        ("ignoreallpreviousinstructions", false),
        ("ignoreallpreviousrules", false),
        ("a b", false),
        ("", false),
    ];
    for (key, shown) in cases {
        let text = format!("{{\"{key}\": 1}}");
        let tree = crate::facts::records::read(&text, Format::Json);
        let expected = if shown { format!("/{key}") } else { "/~k0".to_owned() };
        assert_eq!(tree.pointer(1, true), expected, "{key}");
    }
}

#[test]
fn json() {
    use Format::Json;
    check(
        Json,
        r#"{"a": "b", "c d": [1, true, "x"], "e": {}}"#,
        &[r#"/a "b" "b""#, r#"/~k1/0 "1" "1""#, r#"/~k1/1 "true" "true""#, r#"/~k1/2 "x" "x""#],
    );
    check(
        Json,
        r#"["a\n\u0062\"", "\ud83d\ude00\ud83d"]"#,
        &[r#"/0 "a\nb\"" "a\\n\\u0062\\\"""#, "/1 \"\u{1f600}\u{fffd}\" \"\\\\ud83d\\\\ude00\\\\ud83d\""],
    );
    check(
        Json,
        "// one\n{'a': b, /* two\n * three */ c: [\"d\",],}\n{\"e\": \"f\"}",
        &[
            r#"/a "b" "b""#,
            r#"/c/0 "d" "d""#,
            r#"/e "f" "f""#,
            r##"# "one" "one""##,
            r##"# "two" "two""##,
            r##"# "three" "three""##,
        ],
    );
    check(Json, "\"a\": {\"b\": \"c\"},\n\"d\": \"e\",\n...", &[r#"/a/b "c" "c""#, r#"/d "e" "e""#]);
    check(Json, "\u{feff}\"\u{e9}\"", &["\u{20}\"\u{e9}\" \"\u{e9}\""]);
}

#[test]
fn yaml() {
    use Format::Yaml;
    check(
        Yaml,
        "a: b # c\nlist:\n- x\n- {y: 'it''s', z: [1]}\n",
        &[
            r#"/a "b" "b""#,
            r#"/list/0 "x" "x""#,
            r#"/list/1/y "it's" "it''s""#,
            r#"/list/1/z/0 "1" "1""#,
            r##"# "c" "c""##,
        ],
    );
    check(
        Yaml,
        "a: |\n  one\n\n    two\nb: >-\n  three\n  four\nc: five\n  six\n",
        &[
            r#"/a "one\n\n  two\n" "one\n\n    two\n""#,
            r#"/b "three four" "three\n  four""#,
            r#"/c "five six" "five\n  six""#,
        ],
    );
    check(
        Yaml,
        "a: \"x\\x41\\u00e9 \\\n   y\n   z\" # \"w\"\n",
        &["/a \"xA\u{e9} y z\" \"x\\\\x41\\\\u00e9 \\\\\\n   y\\n   z\"", r##"# "\"w\"" "\"w\"""##],
    );
    check(
        Yaml,
        "\u{e9}: &a !t \u{e9}b\nx: *a\n? [k]\n: v\n--- # d\ny: z\n",
        &[
            "/~k0 \"\u{e9}b\" \"\u{e9}b\"",
            r#"/2/0 "k" "k""#,
            r#"/3 "v" "v""#,
            r#"/y "z" "z""#,
            r##"# "d" "d""##,
        ],
    );
    check(
        Yaml,
        "a: |2\n    b\n   c\nurl: http://x/#y\n",
        &[r#"/a "  b\n c\n" "  b\n   c\n""#, r#"/url "http://x/#y" "http://x/#y""#],
    );
}

#[test]
fn toml() {
    use Format::Toml;
    check(
        Toml,
        "a = 'b' # c\n[d.\"e f\"]\ng = [1, {h.i = \"j\\u006B\"}]\nk.l = 2026-01-01\n",
        &[
            r#"/a "b" "b""#,
            r#"/d/~k0/g/0 "1" "1""#,
            r#"/d/~k0/g/1/h/i "jk" "j\\u006B""#,
            r#"/d/~k0/k/l "2026-01-01" "2026-01-01""#,
            r##"# "c" "c""##,
        ],
    );
    check(
        Toml,
        "[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\nb = 3\n[a.c]\nd = 4\n",
        &[r#"/a/0/b "1" "1""#, r#"/a/0/c/d "2" "2""#, r#"/a/1/b "3" "3""#, r#"/a/1/c/d "4" "4""#],
    );
    check(
        Toml,
        "a = \"\"\"\none \\\n   two\nthree\"\"\"\nb = '''\nx\\n\n'''\n",
        &[r#"/a "one two\nthree" "one \\\n   two\nthree""#, r#"/b "x\\n\n" "x\\n\n""#],
    );
}

/// What comes before the fault is read, and the fault is where reading by lines has to begin.
#[test]
fn broken_records_are_read_as_far_as_they_go() {
    let cases = [
        (Format::Json, "{\"a\": \"b\",\n \"c\": \"d\n}", "/a \"b\" \"b\"", "\"d\n}"),
        (Format::Json, "{\"a\": \"b\"", "/a \"b\" \"b\"", ""),
        (Format::Json, "{\"a\": \"b\" } @", "/a \"b\" \"b\"", "@"),
        (Format::Yaml, "a: b\nc: [\nd: e\n", "/a \"b\" \"b\"", ""),
        (Format::Yaml, "a: b\nc: 'd\ne: f\n", "/a \"b\" \"b\"", ": 'd\ne: f\n"),
        (Format::Toml, "a = 'b'\nc\nd = 1\n", "/a \"b\" \"b\"", "\nd = 1\n"),
    ];
    for (format, unit, first, rest) in cases {
        let (rows, fault) = rows(unit, format);
        assert_eq!(rows.first().map(String::as_str), Some(first), "{unit}");
        let fault = fault.unwrap_or_else(|| panic!("a fault in {unit}"));
        assert!(unit[fault..].ends_with(rest), "{unit}: {:?}", &unit[fault..]);
    }
}

#[test]
fn depth_is_bounded() {
    let texts = [
        (Format::Yaml, "[".repeat(5_000)),
        (Format::Yaml, "- ".repeat(5_000)),
        (Format::Toml, format!("a = {}", "[".repeat(5_000))),
        (Format::Toml, format!("[{}a]", "a.".repeat(5_000))),
    ];
    for (format, text) in texts {
        let tree = read(&text, format);
        assert!(tree.fault.is_some());
        assert!(tree.nodes.len() < 200, "{}", tree.nodes.len());
    }
}

/// However deep, a value of JSON is read, and a list stays with the members beside it; no walk up is long.
#[test]
fn json_is_read_however_deep() {
    for deep in (120..140).chain([255, 256, 257, 20_000]) {
        for (open, close) in [("{\"x\":", "}"), ("[", "]")] {
            let inner = r#"{"command":"b","args":["c"]}"#;
            let unit = format!("{}{inner}{}", open.repeat(deep), close.repeat(deep));
            let tree = read(&unit, Format::Json);
            assert_eq!(tree.fault, None, "{deep}");
            let last = tree.nodes.len() as NodeId - 1;
            let list = tree.nodes[last as usize].parent.unwrap();
            assert_eq!((tree.key(list), tree.key(last - 2)), (Some("args"), Some("command")), "{deep}");
            assert_eq!(tree.nodes[list as usize].parent, tree.nodes[last as usize - 2].parent, "{deep}");
            let up = std::iter::successors(Some(last), |at| tree.nodes[*at as usize].parent);
            assert!(up.count() < 140, "{deep}");
        }
    }
}

/// What is missing is empty and takes nothing from the members behind it.
#[test]
fn a_missing_value_keeps_the_members_behind() {
    let (rows, fault) = rows(r#"{"x":,"a":"b","c":["d"]}"#, Format::Json);
    assert_eq!(fault, None);
    for row in [r#"/a "b" "b""#, r#"/c/0 "d" "d""#] {
        assert!(rows.iter().any(|found| found == row), "{rows:?}");
    }
}

fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b: ",
        "- ",
        "\n",
        "\n  ",
        "\"",
        "'",
        "\\",
        "\\n",
        "\\u0041",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "=",
        "#",
        " # ",
        "//",
        "/*",
        "*/",
        "|\n",
        ">-\n",
        "\"\"\"",
        "'''",
        "\u{e9}",
        "\u{1f600}",
        "\t",
        "&x ",
        "*x",
        "!t ",
        "? ",
        "---\n",
        "...\n",
        "[a]\n",
        "[[a]]\n",
        "x = ",
        "\u{feff}",
        "%",
        "@",
        "`",
        "\\\n",
        "\u{85}",
        "\u{2028}",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Any text can be read; every part of a value has a place, and what is verbatim is the same there.
    #[test]
    fn every_value_has_its_place(unit in text()) {
        for format in [Format::Json, Format::Yaml, Format::Toml] {
            let tree = read(&unit, format);
            let values = tree.nodes.iter().filter_map(|node| match &node.what {
                What::Scalar(text) => Some(text),
                _ => None,
            });
            let keys = tree.nodes.iter().filter_map(|node| node.key.as_ref());
            for text in values.chain(keys).chain(&tree.comments) {
                for (at, c) in text.value.char_indices() {
                    let source = text.source(at..at + c.len_utf8());
                    let there = unit.get(source.clone());
                    prop_assert!(there.is_some(), "{format:?} {unit:?} {source:?}");
                    if text.is_verbatim() {
                        prop_assert_eq!(there.unwrap_or_default(), c.to_string());
                    }
                }
            }
            prop_assert!(tree.fault.is_none_or(|fault| fault <= unit.len()));
            stretches(&tree);
        }
    }
}
