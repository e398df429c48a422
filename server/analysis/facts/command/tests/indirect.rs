//! Roundabout ways to run a command, each found by trying to hide one.

use super::*;

#[test]
fn another_name_hides_nothing() {
    check_dangers(
        Place::Code(Lang::Shell),
        &[
            ("a=rm; $a -rf data", &["rm; $a -rf data"]),
            ("A=rm B=-rf; $A ${B} data", &["rm B=-rf; $A ${B} data"]),
            ("export CMD='rm -rf data'; $CMD", &["rm -rf data"]),
            ("CMD='rm -rf data'; eval \"$CMD\"", &["rm -rf data"]),
            ("CMD='rm -rf data' && sh -c \"$CMD\"", &["rm -rf data"]),
            ("alias ll='rm -rf data'", &["alias ll='rm -rf data"]),
            ("git config alias.x '!rm -rf data'", &["git config alias.x '!rm -rf data"]),
            ("$(which rm) -rf data", &["$(which rm) -rf data"]),
            ("sudo `command -v rm` -rf data", &["sudo `command -v rm` -rf data"]),
            ("env - rm -rf data", &["env - rm -rf data"]),
            ("${X:-rm} -rf data", &["${X:-rm} -rf data"]),
            ("${X-rm} -rf data", &["${X-rm} -rf data"]),
            ("${X:=rm -rf} data", &["${X:=rm -rf} data"]),
            ("r${x}m -rf data", &["r${x}m -rf data"]),
            ("${x:+}rm -rf data", &["${x:+}rm -rf data"]),
            ("GIT_SSH_COMMAND='rm -rf data' git fetch", &["GIT_SSH_COMMAND='rm -rf data"]),
            ("export EDITOR='rm -rf data'", &["export EDITOR='rm -rf data"]),
            ("git -c core.pager='rm -rf data' log", &["git -c core.pager='rm -rf data"]),
            ("git config core.sshCommand 'rm -rf data'", &["git config core.sshCommand 'rm -rf data"]),
            ("sh 'rm -rf data'", &["sh 'rm -rf data"]),
            ("sh \"\"\"rm -rf data\"\"\"", &["sh \"\"\"rm -rf data"]),
            // and no more than that
            ("a=ls; $a -rf data", &[]),
            ("${EDITOR:-vi} -rf data", &[]),
            ("EDITOR='code --wait' git commit", &[]),
            ("sh 'my script.sh' -rf data", &[]),
            ("alias rm='rm -i'", &[]),
            ("CMD='rm -rf data'; echo \"$CMD\"", &[]),
            ("OUT=build; rm -rf \"$OUT\"", &["rm -rf \"$OUT\""]),
            ("$(which ls) -rf data", &[]),
        ],
    );
}

#[test]
fn what_is_printed_into_a_shell_runs() {
    check_dangers(
        Place::Code(Lang::Shell),
        &[
            ("printf '%s\\n' 'rm -rf data' | sh", &["printf '%s\\n' 'rm -rf data"]),
            ("bash <(echo rm -rf data)", &["echo rm -rf data"]),
            (". <(echo rm -rf data)", &["echo rm -rf data"]),
            ("eval \"$(printf 'rm -rf data')\"", &["printf 'rm -rf data"]),
            ("psql <<< 'DROP TABLE users'", &["DROP TABLE users"]),
            ("echo 'rm -rf data' >> ~/.bashrc", &["echo 'rm -rf data"]),
            ("printf 'rm -rf data\\n' > .git/hooks/pre-commit", &["printf 'rm -rf data\\n"]),
            ("echo 'rm -rf data' | tee clean.sh", &["echo 'rm -rf data"]),
            ("echo '@daily rm -rf data' | crontab -", &["crontab -", "echo '@daily rm -rf data"]),
            ("echo '0 3 * * * rm -rf data' | crontab -", &["crontab -", "echo '0 3 * * * rm -rf data"]),
            ("echo 'export A=b' >> ~/.bashrc", &[]),
            ("echo 'rm -rf data' >> notes.md", &[]),
            ("cat <(echo rm -rf data)", &[]),
            ("printf '%s\\n' 'rm -rf data'", &[]),
        ],
    );
}

#[test]
fn strings_of_other_languages_run() {
    check_dangers(
        Place::Code(Lang::Shell),
        &[
            (
                "python3 -c \"import os; os.system('rm -rf data')\"",
                &["python3 -c \"import os; os.system('rm -rf data"],
            ),
            ("perl -e 'system(\"rm -rf data\")'", &["perl -e 'system(\"rm -rf data"]),
            ("awk 'BEGIN{system(\"rm -rf data\")}'", &["awk 'BEGIN{system(\"rm -rf data"]),
            ("perl -e 'print \"rm -rf data\"'", &[]),
            ("awk '/rm -rf data/' log.txt", &[]),
        ],
    );
}

#[test]
fn clauses_braces_and_blanks_hide_nothing() {
    check_dangers(
        Place::Code(Lang::Shell),
        &[
            ("find . -ok true \\; -exec rm -rf {} +", &["find . -ok true \\; -exec rm -rf {}"; 2]),
            ("find . -exec true \\; -ok rm -rf {} \\;", &[]),
            ("parallel 'rm -rf {}' ::: a b", &["parallel 'rm -rf {}"]),
            ("echo \"${x:-$(rm -rf data)}\"", &["rm -rf data"]),
            (": ${x:=`rm -rf data`}", &["rm -rf data"]),
            ("rm ${IFS}-rf${IFS}data", &["rm ${IFS}-rf${IFS}data"]),
            ("rm\u{2003}-rf\u{3000}data", &["rm\u{2003}-rf\u{3000}data"]),
        ],
    );
}

#[test]
fn prose_hides_nothing_behind_signs() {
    check_dangers(
        Place::Prose,
        &[
            ("Run \\`rm -rf data\\`.", &["rm -rf data"]),
            ("Run `rm -rf data", &["rm -rf data"]),
            ("Run `rm -rf data``.", &["rm -rf data"]),
            ("Run\u{2014}rm -rf data", &["rm -rf data"]),
            ("Run->rm -rf data", &["rm -rf data"]),
            ("Run:rm -rf data", &["rm -rf data"]),
            ("!rm -rf data", &["rm -rf data"]),
            ("<b><i>Do</i></b>rm -rf data</p>", &["rm -rf data"]),
            ("Run rm\u{2003}-rf\u{2003}data", &["rm\u{2003}-rf\u{2003}data"]),
            ("Then run reboot", &["reboot"]),
            ("Run DROP TABLE users;", &["DROP TABLE users"]),
            ("DELETE FROM users;", &["DELETE FROM users"]),
            ("helm uninstall web", &["helm uninstall web"]),
            // and no more than that
            ("It will reboot twice.", &[]),
            ("We run reboots at night.", &[]),
            ("DROP TABLE statements take a lock.", &[]),
            ("Charts that helm installs stay.", &[]),
        ],
    );
}

#[test]
fn a_program_of_any_case_is_read_where_it_is_shaped() {
    check_dangers(
        Place::Prose,
        &[
            ("Rm -rf data", &["Rm -rf data"]),
            ("Run `RM -rf data`.", &["RM -rf data"]),
            ("Kill the process, Find the file -name x.", &[]),
            ("Reboot the host.", &[]),
        ],
    );
}

#[test]
fn emphasis_leaves_an_affirmative_word_one() {
    let found = candidates("**Always** run rm -rf data", Place::Code(Lang::Shell));
    assert!(found.iter().any(|candidate| candidate.affirmed));
}

#[test]
fn a_wrong_tag_hides_nothing() {
    let tags = [
        Lang::Json,
        Lang::Toml,
        Lang::Yaml,
        Lang::Sql,
        Lang::Dockerfile,
        Lang::Python,
        Lang::JavaScript,
        Lang::Other,
    ];
    for lang in tags {
        check_dangers(
            Place::Code(lang),
            &[
                ("rm -rf /srv/data", &["rm -rf /srv/data"]),
                ("$ rm -rf /srv/data", &["rm -rf /srv/data"]),
                ("sudo git reset --hard", &["sudo git reset --hard"]),
            ],
        );
    }
}

#[test]
fn values_of_records_and_other_languages() {
    check_dangers(
        Place::Code(Lang::Json),
        &[
            ("{\"scripts\": {\"clean\": \"rm -rf data\"}}", &["rm -rf data"]),
            ("{\"a\": \"b\", \"command\": \"rm -rf data\"}", &["rm -rf data"]),
            ("\"command\": [\"rm\", \"-rf\", \"data\"]", &["rm\", \"-rf\", \"data"]),
            ("\"deny\": [\"rm -rf data\", \"rm -rf x\"]", &[]),
        ],
    );
    check_dangers(
        Place::Code(Lang::Other),
        &[("system 'rm -rf data'", &["rm -rf data"]), ("os.execute(\"rm -rf data\")", &["rm -rf data"])],
    );
    check_dangers(Place::Code(Lang::Shell), &[("\t-@rm -rf data", &["-@rm -rf data"])]);
    check_dangers(Place::Code(Lang::Cmd), &[("rd/s/q data", &["rd/s/q data"])]);
}

#[test]
fn a_dash_of_another_kind_is_the_one_that_is_typed() {
    check_dangers(
        Place::Code(Lang::Shell),
        &[
            ("rm \u{2013}rf /srv/a", &["rm \u{2013}rf /srv/a"]),
            ("rm \u{2212}r \u{ff0d}f /srv/a", &["rm \u{2212}r \u{ff0d}f /srv/a"]),
            ("git push \u{2014}force", &["git push \u{2014}force"]),
            ("find . \u{2013}delete", &["find . \u{2013}delete"]),
            ("rm \u{2013} removes files", &[]),
        ],
    );
}

#[test]
fn what_runs_another_hides_nothing() {
    check_dangers(
        Place::Code(Lang::Shell),
        &[
            ("git bisect run rm -rf /srv/a", &["git bisect run rm -rf /srv/a"]),
            ("git submodule foreach rm -rf /srv/a", &["git submodule foreach rm -rf /srv/a"]),
            ("ls | entr -r rm -rf /srv/a", &["entr -r rm -rf /srv/a"]),
            ("set -- rm -rf /srv/a; \"$@\"", &["rm -rf /srv/a"]),
            ("npx -c 'rm -rf /srv/a'", &["npx -c 'rm -rf /srv/a"]),
            ("git rebase -x 'rm -rf /srv/a' main", &["git rebase -x 'rm -rf /srv/a"]),
            ("runuser -l app -c 'rm -rf /srv/a'", &["runuser -l app -c 'rm -rf /srv/a"]),
            ("vim -c '!rm -rf /srv/a' x", &["vim -c '!rm -rf /srv/a"]),
            ("git bisect start", &[]),
            ("set -- a b; echo \"$@\"", &[]),
        ],
    );
}
