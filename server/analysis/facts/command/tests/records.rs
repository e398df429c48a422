//! Values and strings of other languages.

use expect_test::expect;

use super::{check, check_dangers};
use crate::facts::command::Place;
use crate::lines::Lang;

#[test]
fn yaml() {
    check(
        &["  run: rm -rf x", "a: [[{b: c, run: rm -rf x}]]", "- {\"run\": \"rm -rf 'x, y'\", c: d}"],
        Place::Code(Lang::Yaml),
        expect![[r#"
            ==   run: rm -rf x
            rm -rf x [rm -rf x]
            == a: [[{b: c, run: rm -rf x}]]
            rm -rf x [rm -rf x]
            == - {"run": "rm -rf 'x, y'", c: d}
            rm -rf x, y [rm -rf 'x, y']
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
fn records() {
    check(
        &[
            "- rm -rf a",
            "run: \"rm -rf a\"",
            "  - run: rm -rf a && ls",
            "name: rm -rf a",
            "script:",
            "    rm -rf a",
            "command: [\"rm\", \"-rf\", \"a b\"]",
            "# rm -rf a",
            "args: [\"-c\", \"rm -rf a\"]",
        ],
        Place::Code(Lang::Yaml),
        expect![[r#"
            == - rm -rf a
            rm -rf a [rm -rf a]
            == run: "rm -rf a"
            rm -rf a [rm -rf a]
            ==   - run: rm -rf a && ls
            rm -rf a [rm -rf a]
            ls [ls]
            == name: rm -rf a

            == script:

            ==     rm -rf a
            rm -rf a [rm -rf a]
            == command: ["rm", "-rf", "a b"]
            rm -rf a b [rm", "-rf", "a b"]
            == # rm -rf a

            == args: ["-c", "rm -rf a"]
            rm -rf a [rm -rf a]
        "#]],
    );
}

#[test]
fn front_matter() {
    check(
        &["description: Run rm -rf a first.", "name: rm", "---"],
        Place::FrontMatter,
        expect![[r#"
        == description: Run rm -rf a first.
        rm -rf a affirmed [rm -rf a]
        == name: rm

        == ---

    "#]],
    );
}

#[test]
fn json() {
    check(
        &["  \"clean\": \"rm -rf dist && ls\",", "  \"Bash(rm -rf a)\",", "{\"a\": \"rm -rf b\"}"],
        Place::Code(Lang::Json),
        expect![[r#"
            ==   "clean": "rm -rf dist && ls",
            rm -rf dist [rm -rf dist]
            ls [ls]
            ==   "Bash(rm -rf a)",

            == {"a": "rm -rf b"}
            rm -rf b [rm -rf b]
        "#]],
    );
}

#[test]
fn sql_in_strings_of_other_languages() {
    for lang in [Lang::Python, Lang::JavaScript, Lang::Other] {
        check_dangers(
            Place::Code(lang),
            &[
                ("db.query(\"DROP TABLE users\")", &["DROP TABLE users"]),
                ("await db.exec(`truncate table users`);", &["truncate table users"]),
                ("cursor.execute(\"\"\"DELETE FROM users\"\"\")", &["DELETE FROM users"]),
                ("db.exec(\"SET x = 0; DROP TABLE users\")", &["DROP TABLE users"]),
                ("log(\"go\"); db.run('DROP DATABASE a')", &["DROP DATABASE a"]),
                ("  DROP TABLE users`);", &["DROP TABLE users"]),
                ("  TRUNCATE TABLE users;", &["TRUNCATE TABLE users"]),
                ("log('we drop table after table')", &[]),
                ("select('drop', 'table')", &[]),
                ("db.query('DELETE FROM users WHERE id = 1')", &[]),
                ("drop table_of(users)", &[]),
            ],
        );
    }
}
