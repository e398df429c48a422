//! Commands and phrases of a house's own, held to their examples.

use expect_test::expect;

use super::check;

const WIPE: &str = "[[commands]]\nid = 'wipe'\nprograms = ['fleetctl']\nsub = ['wipe']\n";

#[test]
fn own_commands_are_held_to_their_examples() {
    let examples = |hits: &str, honest: &str| format!("{WIPE}hits = [{hits}]\nhonest = [{honest}]\n");
    check(&examples("'fleetctl wipe'", "'fleetctl list'"), expect!["ok"]);
    check(
        &examples("'fleetctl wipe', 'fleetctl hunter2'", "'fleetctl list'"),
        expect!["caveat.toml:5:26: this example is not found by its entry"],
    );
    check(
        &examples("'fleetctl wipe'", "'fleetctl list', 'fleetctl wipe hunter2'"),
        expect!["caveat.toml:6:28: this honest example is found by its entry"],
    );
    check(
        &examples("{ text = 'fleetctl wipe', severity = 'error' }", "'fleetctl list'"),
        expect!["caveat.toml:5:9: this example is found with another severity"],
    );
    check(
        &examples("{ text = 'fleetctl wipe', kind = 'hunter2' }", "'fleetctl list'"),
        expect![
            "caveat.toml:5:35: `commands.hits` takes a list of examples: strings, or tables with text, in and severity"
        ],
    );
}

#[test]
fn own_phrases_are_held_to_theirs() {
    let phrase = |slots: &str, hits: &str, honest: &str| {
        format!("[[phrases]]\nid = 'seal'\nslots = [{slots}]\nhits = ['{hits}']\nhonest = ['{honest}']\n")
    };
    let seal = "'break|breaks', 'the', 'seal'";
    check(&phrase(seal, "Now break the red seal.", "The seal breaks."), expect!["ok"]);
    check(
        &phrase(seal, "hunter2", "The seal breaks."),
        expect!["caveat.toml:4:9: this example is not found by its entry"],
    );
    check(
        &phrase(seal, "Now break the seal.", "Please break the seal."),
        expect!["caveat.toml:5:11: this honest example is found by its entry"],
    );
    check(
        &phrase("'@hunter2'", "x", "x"),
        expect!["caveat.toml:1:1: a slot names a class that no lexicon has"],
    );
}

#[test]
fn what_is_no_own_command_is_told_at_its_place() {
    check(
        &WIPE.replace("sub =", "subs ="),
        expect!["caveat.toml:4:1: there is no such key in [[commands]]; did you mean `sub`?"],
    );
    check(
        &format!("{WIPE}operands.frist = ['@root']\n"),
        expect!["caveat.toml:5:10: there is no such key in [commands.operands]; did you mean `first`?"],
    );
    check(
        &format!("{WIPE}style = 'hunter2'\n"),
        expect![[r#"caveat.toml:5:9: `commands.style` takes "gnu", "go", "powershell", "slash" or "words""#]],
    );
    check(WIPE, expect!["caveat.toml:1:1: `hits` is missing here"]);
    check(
        &format!("{}hits = ['fleetctl wipe']\nhonest = ['x']\n", WIPE.replace("'wipe'\np", "'Hunter2!'\np")),
        expect!["caveat.toml:2:6: an entry's id has 1 to 40 characters out of a-z, 0-9 and `-`"],
    );
}
