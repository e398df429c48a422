//! Help while editing: completion, inlay hints, hover on what is suppressed, a rule's page on demand.

use serde_json::{Value, json};

use crate::client::{Client, insertion};

const URI: &str = "file:///w/AGENTS.md";

fn capabilities(snippets: bool) -> Value {
    json!({
        "textDocument": {
            "completion": {"completionItem": {"snippetSupport": snippets}},
            "hover": {"contentFormat": ["plaintext"]},
            "inlayHint": {}},
        "workspace": {"inlayHint": {"refreshSupport": true}, "executeCommand": {}},
    })
}

/// What is offered at the `|` of `text`: label and text that comes in, which ends at the caret or the line's end.
fn offered(client: &mut Client, text: &str) -> Vec<(String, String)> {
    let at = text.find('|').expect("a caret");
    let line = text[..at].matches('\n').count();
    let character = text[..at].rsplit('\n').next().unwrap().encode_utf16().count();
    client.open(URI, 1, &text.replacen('|', "", 1));
    client.pushed_at(URI, 1);
    let position = json!({"line": line, "character": character});
    let items =
        client.ask("textDocument/completion", json!({"textDocument": {"uri": URI}, "position": position}));
    let items = items.as_array().cloned().unwrap_or_default();
    items
        .iter()
        .map(|item| {
            let range = &item["textEdit"]["range"];
            assert_eq!((&range["start"]["line"], &range["end"]["line"]), (&json!(line), &json!(line)));
            assert!(range["start"]["character"].as_u64() <= Some(character as u64));
            assert!(range["end"]["character"].as_u64() >= Some(character as u64));
            (
                item["label"].as_str().unwrap().to_owned(),
                item["textEdit"]["newText"].as_str().unwrap().to_owned(),
            )
        })
        .collect()
}

fn labels(client: &mut Client, text: &str) -> Vec<String> {
    offered(client, text).into_iter().map(|(label, _)| label).collect()
}

#[test]
fn a_suppression_is_completed_part_by_part() {
    let mut client = Client::initialized(capabilities(false));
    let block = "\n\nRun `git push --force`.\n";
    assert_eq!(
        labels(&mut client, &format!("<!-- cav| -->{block}"))[..2],
        ["caveat-allow", "caveat-allow-file"]
    );
    let rules = labels(&mut client, &format!("<!-- caveat-allow | -->{block}"));
    assert!(rules.iter().any(|rule| rule == "rm-rf") && rules.len() > 40, "{rules:?}");
    assert!(!rules.iter().any(|rule| rule == "openai-key" || rule.starts_with("suppression")), "{rules:?}");
    let rules = labels(&mut client, &format!("> <!-- caveat-allow sudo, s| -->{block}"));
    assert!(!rules.contains(&"sudo".to_owned()), "it is named already");
    let days = labels(&mut client, &format!("<!-- caveat-allow sudo expires=| -->{block}"));
    assert_eq!(days.len(), 3);
    assert!(days.iter().all(|day| day.len() == 10), "{days:?}");
    let expires = labels(&mut client, &format!("<!-- caveat-allow sudo e| -->{block}"));
    assert_eq!(expires, [format!("expires={}", days[0]), format!("expires={} reason=\"\"", days[0])]);
    let reason = offered(&mut client, &format!("<!-- caveat-allow sudo expires=2030-01-01 |{block}"));
    assert_eq!(reason[0].1, "reason=\"TODO: say why this is accepted\"");
    let front = labels(&mut client, "---\n# caveat-allow |\nrun: ls\n---\n");
    assert!(front.contains(&"rm-rf".to_owned()));
    for quiet in [
        format!("Some | text{block}"),
        format!("<!-- a note |{block}"),
        format!("<!-- caveat-allow sudo expires=2030-01-01 reason=\"| {block}"),
        "```sh\n<!-- caveat-allow |\n```\n".to_owned(),
        "Text.\n|\nMore.\n".to_owned(),
    ] {
        assert_eq!(labels(&mut client, &quiet), Vec::<String>::new(), "{quiet}");
    }
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn the_rules_of_what_is_found_come_first() {
    let mut client = Client::initialized(capabilities(false));
    client.open(URI, 1, "<!-- caveat-allow  -->\n\nRun `git push --force`.\n");
    client.pushed_at(URI, 1);
    let params = json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 18}});
    let mut items = client.ask("textDocument/completion", params).as_array().cloned().unwrap();
    items.sort_by_key(|item| item["sortText"].as_str().unwrap().to_owned());
    assert_eq!(items[0]["label"], "git-push-force");
    assert_eq!(items[0]["detail"], "overwrites or deletes history on the remote");
    assert_eq!(client.shut_down(), 0);
}

/// What was begun may be an open comment, which swallows all that stands below it.
#[test]
fn in_front_of_a_block_its_suppression_and_a_label_are_offered() {
    let mut client = Client::initialized(capabilities(true));
    let block = "\n```sh\nsudo rm -rf /srv/data\ngit push --force\n```\n";
    for begun in ["|", "<|", "<|>", "<!--|", "<!-- c|", "<!-- caveat-allow|-->"] {
        let found = offered(&mut client, &format!("# \u{1f680}\n\n{begun}{block}"));
        let whole = found.iter().find(|(label, _)| label.starts_with("caveat-allow rm-rf"));
        let (label, put) = whole.unwrap_or_else(|| panic!("{begun}: {found:?}"));
        assert_eq!(label, "caveat-allow rm-rf, git-push-force");
        assert!(put.starts_with("<!-- caveat-allow rm-rf, git-push-force expires="), "{put}");
        assert!(put.ends_with(" reason=\"${1:TODO: say why this is accepted}\" -->"), "{put}");
    }
    for begun in ["|", "never|", "Never run th|"] {
        let found = labels(&mut client, &format!("{begun}{block}"));
        assert!(found.contains(&"Never run these commands:".to_owned()), "{begun}: {found:?}");
    }
    // No label holds in a quote; the suppression does.
    let quoted = "> |\n> ```sh\n> git push --force\n> ```\n";
    assert_eq!(labels(&mut client, quoted), ["caveat-allow git-push-force"]);
    assert_eq!(labels(&mut client, "|\n```sh\nls\n```\n"), Vec::<String>::new());
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn what_is_made_of_a_completion_suppresses() {
    let mut client = Client::initialized(capabilities(false));
    let found = offered(&mut client, "|\nRun `git push --force`.\n");
    let (_, put) = found.into_iter().find(|(label, _)| label.starts_with("caveat-allow")).unwrap();
    client.change(URI, 2, json!([insertion(0, 0, &put)]));
    assert_eq!(client.pushed_at(URI, 2), Vec::<Value>::new());
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn hints_are_off_until_they_are_asked_for() {
    let text = "Never run these commands:\n\n```sh\nrm -rf /srv/a\nrm -rf /srv/b\n```\n\n\
                <!-- caveat-allow git-push-force expires=9999-01-01 reason=\"x\" -->\nRun `git push -f`.\n\nwo\u{200b}\u{200b}rd\n";
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let params = json!({"textDocument": {"uri": URI}, "range": range});
    let mut client = Client::initialized(capabilities(false));
    client.open(URI, 1, text);
    client.pushed_at(URI, 1);
    assert_eq!(client.ask("textDocument/inlayHint", params.clone()), Value::Null);
    client.notify("workspace/didChangeConfiguration", json!({"settings": {"caveat": {"inlayHints": true}}}));
    let refresh = client.call("workspace/inlayHint/refresh");
    client.answer(&refresh, Value::Null);
    client.pushed_at(URI, 1);
    let hints = client.ask("textDocument/inlayHint", params);
    let told: Vec<(u64, u64, &str)> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| {
            let at = &hint["position"];
            (at["line"].as_u64().unwrap(), at["character"].as_u64().unwrap(), hint["label"].as_str().unwrap())
        })
        .collect();
    assert_eq!(told, [(0, 25, "2 exempt"), (7, 66, "1 suppressed"), (10, 2, "2 \u{d7} ZERO WIDTH SPACE")]);
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn hover_says_what_suppresses_and_until_when() {
    let mut client = Client::initialized(capabilities(false));
    let comment =
        "<!-- caveat-allow git-push-force expires=9999-01-01 reason=\"TODO: say why this is accepted\" -->";
    client.open(URI, 1, &format!("{comment}\nRun `git push --force`.\n"));
    assert_eq!(client.pushed_at(URI, 1), Vec::<Value>::new());
    let mut hover = |line: u32| {
        let position = json!({"line": line, "character": 10});
        let found =
            client.ask("textDocument/hover", json!({"textDocument": {"uri": URI}, "position": position}));
        found["contents"]["value"].as_str().unwrap().to_owned()
    };
    let on_finding = hover(1);
    assert!(
        on_finding.contains("Suppressed by the comment on line 1, which covers this line."),
        "{on_finding}"
    );
    let on_comment = hover(0);
    assert!(on_comment.contains("Covers git-push-force on line 2."), "{on_comment}");
    assert!(on_comment.contains("Its reason is still to be filled in."), "{on_comment}");
    assert_eq!(client.shut_down(), 0);
}

#[test]
fn a_page_is_given_on_demand() {
    let mut client = Client::start(&[]);
    let found = client.initialize(json!({"capabilities": capabilities(false)}));
    assert_eq!(
        found["executeCommandProvider"],
        json!({"commands": ["caveat.audit", "caveat.explain", "caveat.checkWorkspace"]})
    );
    let explain = |rule: &str| json!({"command": "caveat.explain", "arguments": [rule]});
    let page = client.ask("workspace/executeCommand", explain("rm-rf"));
    assert!(page.as_str().unwrap().starts_with("# rm-rf\n"), "{page}");
    assert_eq!(client.refused("workspace/executeCommand", explain("kumquat")).0, -32602);
    assert_eq!(client.refused("workspace/executeCommand", json!({"command": "kumquat"})).0, -32602);
    assert_eq!(client.shut_down(), 0);
}
