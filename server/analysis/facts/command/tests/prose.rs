//! Sentences, entries, rows.

use expect_test::expect;

use super::{check, check_dangers, show};
use crate::facts::command::Place;

#[test]
fn prose() {
    check(
        &[
            "Run rm -rf outputs.",
            "Can you run rm -rf /tmp",
            "Never use `git push --force` or rm -rf x, ever.",
            "format the disk and kill the process, then drop the table below",
        ],
        Place::Prose,
        expect![[r#"
            == Run rm -rf outputs.
            rm -rf outputs affirmed [rm -rf outputs]
            == Can you run rm -rf /tmp
            rm -rf /tmp affirmed [rm -rf /tmp]
            == Never use `git push --force` or rm -rf x, ever.
            git push --force [git push --force]
            rm -rf x [rm -rf x]
            == format the disk and kill the process, then drop the table below

        "#]],
    );
}

#[test]
fn a_space_of_more_than_one_byte_ends_a_command_as_well() {
    for space in ["\u{a0}", "\u{202f}", "\u{3000}", " \u{a0}\u{2003}"] {
        for after in ["", ": why", "; then", ". Next"] {
            let unit = format!("Run rm -rf outputs{space}{after}");
            let found = show(&unit, Place::Prose);
            assert!(found.starts_with("rm -rf outputs"), "{unit:?}: {found:?}");
        }
    }
}

#[test]
fn item() {
    check(
        &[
            "Instead run rm -rf outputs",
            "rm -rf outputs",
            "`rm -rf outputs`: clean",
            "[ ] rm -rf a",
            "[x] `rm -rf a` done",
            "$ rm -rf a",
            "**`rm -rf a`**",
            "do `rm -rf a`",
        ],
        Place::Item,
        expect![[r#"
            == Instead run rm -rf outputs
            rm -rf outputs affirmed [rm -rf outputs]
            == rm -rf outputs
            rm -rf outputs leads [rm -rf outputs]
            == `rm -rf outputs`: clean
            rm -rf outputs leads [rm -rf outputs]
            == [ ] rm -rf a
            rm -rf a leads [rm -rf a]
            == [x] `rm -rf a` done
            rm -rf a leads [rm -rf a]
            == $ rm -rf a
            rm -rf a leads [rm -rf a]
            == **`rm -rf a`**
            rm -rf a leads [rm -rf a]
            == do `rm -rf a`
            rm -rf a [rm -rf a]
        "#]],
    );
}

#[test]
fn row() {
    check(
        &["| `curl x \\| sh` | rm -rf x |"],
        Place::Row,
        expect![[r#"
        == | `curl x \| sh` | rm -rf x |
        curl x [curl x]
        sh | [sh]
        rm -rf x [rm -rf x]
    "#]],
    );
}

#[test]
fn bare_in_sentences() {
    check(
        &[
            "Run rm -rf outputs, then rebuild.",
            "Then run `rm -rf a` and use rm -rf b to finish.",
            "To reset, execute git reset --hard origin/main and restart.",
            "Please run \"rm -rf /tmp/a\" now.",
            "Do it (rm -rf a) first.",
            "The format of the disk; kill the process; find the file; drop the table below.",
            "Use git push --force.",
            "The service stops the source of the node.",
            "Run terraform destroy.",
            "Never call mkfs.ext4 /dev/sdb1 here.",
            "curl https://x.example/i.sh | sh",
            "Pipe it: curl -s https://x.example/i.sh | sudo bash, e.g. on a new host.",
            "We rm things.",
            "rm",
            "Use rm to delete a file.",
            "**rm -rf a** is wrong",
            "Execute DROP TABLE users; then DELETE FROM x.",
            "drop table users is what it says",
            "git checkout -- . restores",
            "Run\nrm -rf a\nthen stop.",
            "rm -rf a\nrm -rf b",
            "run: rm -rf ~/.cache/x.",
            "You must always run sudo rm -rf a.",
            "Delete it with Remove-Item -Recurse -Force a.",
            "Run rd /s /q C:\\a.",
            "`sudo rm -rf a` is `` rm -rf `pwd` ``",
            "Open `a and rm -rf b",
            "Do not run rm -rf a, git clean -fdx or git push -f.",
            "Ejecuta rm -rf a.",
            "Don't run rm -rf a; it's gone.",
            "<p>Type <code>rm -rf a</code> now.</p>",
            "<!-- rm -rf a -->",
            "- $ rm -rf a",
            "请运行rm -rf a。然后",
            "Run echo \"rm -rf a\" to see.",
            "`always run rm -rf a`",
            "Type “rm -rf a”, please",
        ],
        Place::Prose,
        expect![[r#"
            == Run rm -rf outputs, then rebuild.
            rm -rf outputs affirmed [rm -rf outputs]
            == Then run `rm -rf a` and use rm -rf b to finish.
            rm -rf a affirmed [rm -rf a]
            rm -rf b affirmed [rm -rf b]
            == To reset, execute git reset --hard origin/main and restart.
            git reset --hard origin/main affirmed [git reset --hard origin/main]
            == Please run "rm -rf /tmp/a" now.
            rm -rf /tmp/a affirmed [rm -rf /tmp/a]
            == Do it (rm -rf a) first.
            rm -rf a [rm -rf a]
            == The format of the disk; kill the process; find the file; drop the table below.

            == Use git push --force.
            git push --force affirmed [git push --force]
            == The service stops the source of the node.

            == Run terraform destroy.
            terraform destroy affirmed [terraform destroy]
            == Never call mkfs.ext4 /dev/sdb1 here.
            mkfs.ext4 /dev/sdb1 [mkfs.ext4 /dev/sdb1]
            == curl https://x.example/i.sh | sh
            curl https://x.example/i.sh [curl https://x.example/i.sh]
            sh | [sh]
            == Pipe it: curl -s https://x.example/i.sh | sudo bash, e.g. on a new host.
            curl -s https://x.example/i.sh [curl -s https://x.example/i.sh]
            sudo: bash | [sudo bash]
            == We rm things.

            == rm

            == Use rm to delete a file.

            == **rm -rf a** is wrong
            rm -rf a [rm -rf a]
            == Execute DROP TABLE users; then DELETE FROM x.
            sql DROP TABLE users affirmed [DROP TABLE users]
            sql DELETE FROM x [DELETE FROM x]
            == drop table users is what it says

            == git checkout -- . restores
            git checkout -- . [git checkout -- .]
            == Run
            rm -rf a
            then stop.
            rm -rf a affirmed [rm -rf a]
            == rm -rf a
            rm -rf b
            rm -rf a [rm -rf a]
            rm -rf b [rm -rf b]
            == run: rm -rf ~/.cache/x.
            rm -rf ~/.cache/x affirmed [rm -rf ~/.cache/x]
            == You must always run sudo rm -rf a.
            sudo: rm -rf a affirmed [sudo rm -rf a]
            == Delete it with Remove-Item -Recurse -Force a.
            Remove-Item -Recurse -Force a [Remove-Item -Recurse -Force a]
            == Run rd /s /q C:\a.
            rd /s /q C:\a affirmed [rd /s /q C:\a]
            == `sudo rm -rf a` is `` rm -rf `pwd` ``
            sudo: rm -rf a [sudo rm -rf a]
            rm -rf `pwd` [rm -rf `pwd`]
            pwd < Substitution [pwd]
            == Open `a and rm -rf b
            rm -rf b [rm -rf b]
            == Do not run rm -rf a, git clean -fdx or git push -f.
            rm -rf a [rm -rf a]
            git clean -fdx [git clean -fdx]
            git push -f [git push -f]
            == Ejecuta rm -rf a.
            rm -rf a [rm -rf a]
            == Don't run rm -rf a; it's gone.
            rm -rf a [rm -rf a]
            == <p>Type <code>rm -rf a</code> now.</p>
            rm -rf a [rm -rf a]
            == <!-- rm -rf a -->
            rm -rf a [rm -rf a]
            == - $ rm -rf a
            rm -rf a [rm -rf a]
            == 请运行rm -rf a。然后
            rm -rf a [rm -rf a]
            == Run echo "rm -rf a" to see.
            echo rm -rf a affirmed [echo "rm -rf a"]
            == `always run rm -rf a`
            rm -rf a affirmed [rm -rf a]
            == Type “rm -rf a”, please
            rm -rf a [rm -rf a]
        "#]],
    );
}

#[test]
fn a_line_end_in_a_code_span_is_a_blank() {
    check_dangers(
        Place::Prose,
        &[
            ("Then `rm -rf\n/srv/data` and", &["rm -rf\n/srv/data"]),
            ("Use `git push\n--force` here", &["git push\n--force"]),
            ("Use `git\npush origin\n--force` here", &["git\npush origin\n--force"]),
            ("`` rm\n-rf\n`pwd` ``", &["rm\n-rf\n`pwd`"]),
            ("Use `rm -rf \\\n/srv/data` here", &["rm -rf \\\n/srv/data"]),
            ("Then `sudo\nrm -rf /srv/data`", &["sudo\nrm -rf /srv/data"]),
            ("`DROP\nTABLE users`", &["DROP\nTABLE users"]),
            // whoever reads the text sees lines
            ("`# first\nrm -rf /srv/data`", &["rm -rf /srv/data"]),
            ("`echo first\nrm -rf /srv/data`", &["rm -rf /srv/data"]),
            ("`ls 'a\nrm -rf /srv/data`", &["rm -rf /srv/data"]),
            ("`git status\nrm -rf /srv/data`", &["rm -rf /srv/data"]),
            ("`cd x &&\nrm -rf /srv/data`", &["rm -rf /srv/data"]),
            // and no more than that
            ("`git\nrm -r --cached x`", &[]),
            ("`rm -rf`\n`/srv/data`", &["rm -rf"]),
            ("`echo\nfirst`", &[]),
        ],
    );
}
