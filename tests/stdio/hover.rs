//! What hover says, and on which lines.

use serde_json::{Value, json};

use crate::client::Client;

const URI: &str = "file:///w/AGENTS.md";

fn markdown() -> Value {
    json!({"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}})
}

fn hover(client: &mut Client, line: usize, character: usize) -> Value {
    let at = json!({"line": line, "character": character});
    client.ask("textDocument/hover", json!({"textDocument": {"uri": URI}, "position": at}))
}

fn said(client: &mut Client, line: usize, character: usize) -> String {
    hover(client, line, character)["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

/// The lines of `text`, at whose beginning hover says something with `words`.
fn check(text: &str, words: &str, lines: &[usize]) {
    let mut client = Client::initialized(markdown());
    client.open(URI, 1, text);
    let found: Vec<usize> =
        (0..text.lines().count() + 2).filter(|line| said(&mut client, *line, 0).contains(words)).collect();
    assert_eq!(found, lines, "{text:?}");
    client.pushed_at(URI, 1);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn the_proof_stands_on_every_line_of_a_scope() {
    check(
        "Before.\n\nNever run these commands:\n\n```sh\nrm -rf /srv\n\n# more\n```\n\nAfter.\n",
        "Exempt",
        &[2, 3, 4, 5, 6, 7, 8],
    );
    check("Never run these commands:\n- `rm -rf /srv`\n- `chmod 777 /srv`\n\nAfter.\n", "Exempt", &[0, 1, 2]);
}

#[test]
fn a_label_that_does_not_hold_says_why() {
    check("## Never run these commands:\n\n```sh\nls\n```\n\nAfter.\n", "No exemption", &[0, 1, 2, 3, 4]);
    check("Never run these commands:\n\nProse.\n", "No exemption", &[0]);
    check("Never run these commands:\n\n```sh\nrm -rf /srv\n", "No exemption", &[0, 1, 2, 3, 4]);
}

#[test]
fn a_suppression_says_what_it_covers_and_for_how_long() {
    let text = "<!-- caveat-allow git-clean-force expires=2999-12-31 reason=\"qzw7\" -->\n\nA\nB\n";
    check(text, "Covers git-clean-force on lines 3 to 4.", &[0]);
    check(text, "days are left", &[0]);
    check(text, "qzw7", &[]);
    check("<!-- caveat-allow no-such-rule -->\n", "This suppresses nothing: there is no rule", &[0]);
}

#[test]
fn hidden_characters_are_named_and_counted_where_they_stand() {
    let mut client = Client::initialized(markdown());
    client.open(URI, 1, "Read\u{200b}\u{200b}me first.\n");
    for (character, named) in [(0, false), (4, true), (6, true), (9, false)] {
        let told = said(&mut client, 0, character).contains("Hidden here: 2 \u{d7} ZERO WIDTH SPACE.");
        assert_eq!(told, named, "{character}");
    }
    client.pushed_at(URI, 1);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn the_rule_s_page_stands_on_a_finding_and_nowhere_else_on_its_line() {
    let mut client = Client::initialized(markdown());
    client.open(URI, 1, "🚀 Run `rm -rf /srv/data` first.\n");
    client.pushed_at(URI, 1);
    let found = hover(&mut client, 0, 10);
    assert_eq!(found["contents"]["kind"], "markdown");
    assert_eq!(found["range"]["start"], json!({"line": 0, "character": 8}));
    let page = found["contents"]["value"].as_str().unwrap();
    assert!(page.contains("# rm-rf") && page.contains("Group: danger"), "{page}");
    assert!(!page.contains("/srv/data"), "{page}");
    for column in [8, 16, 24] {
        assert!(said(&mut client, 0, column).contains("rm-rf"), "{column}");
    }
    for column in [0, 7, 26, 9_999] {
        assert_eq!(hover(&mut client, 0, column), Value::Null, "{column}");
    }
    assert_eq!(hover(&mut client, 9_999, 0), Value::Null);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn plain_text_for_clients_without_markdown() {
    let mut client =
        Client::initialized(json!({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}));
    client.open(URI, 1, "- `rm -rf /srv`\n");
    client.pushed_at(URI, 1);
    let found = hover(&mut client, 0, 4);
    assert_eq!(found["contents"]["kind"], "plaintext");
    let page = found["contents"]["value"].as_str().unwrap();
    assert!(
        page.contains("rm-rf") && !page.contains('#') && !page.contains('`') && !page.contains("**"),
        "{page}"
    );
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn hover_right_behind_an_edit_is_of_the_newest_text() {
    let mut client = Client::initialized(markdown());
    client.open(URI, 0, "");
    for version in 1..40 {
        let forbidden = version % 2 == 0;
        let label = if forbidden { "Never run these commands:" } else { "Steps:" };
        client.change(URI, version, json!([{"text": format!("{label}\n\n```sh\nrm -rf /srv\n```\n")}]));
        assert_eq!(said(&mut client, 4, 0).contains("Exempt"), forbidden, "version {version}");
    }
    client.pushed_at(URI, 39);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn nothing_is_said_of_what_is_not_open_or_not_in_step() {
    let mut client = Client::initialized(markdown());
    assert_eq!(hover(&mut client, 0, 0), Value::Null);
    client.open(URI, 1, "- `rm -rf /srv`\n");
    client.pushed_at(URI, 1);
    client.change(URI, 1, json!([]));
    client.call("window/showMessage");
    assert_eq!(hover(&mut client, 0, 4), Value::Null);
    assert_eq!(client.pushed_at(URI, 1), Vec::<Value>::new());
    assert_eq!(client.shut_down(), 0);
}
