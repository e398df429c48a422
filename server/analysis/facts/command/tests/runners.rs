//! Commands behind programs that nobody listed.

use super::check_dangers;
use crate::facts::command::Place;
use crate::lines::Lang;

#[test]
fn a_command_behind_a_program_that_no_table_names() {
    let whole = [
        "aws-vault exec prod -- rm -rf x",
        "op run --env-file=e -- rm -rf x",
        "frobnicate --level 3 -- sudo rm -rf x",
        "frobnicate -- env A=1 rm -rf x",
        "asdf exec rm -rf x",
        "foreman run rm -rf x",
        "conda run -n prod rm -rf x",
        "npx rm -rf x",
        "npx -y dotenv-cli -- rm -rf x",
        "pnpm exec rm -rf x",
        "yarn dlx rm -rf x",
        "cross-env NODE_ENV=test rm -rf x",
        "kubectl exec pod rm -rf x",
        "xvfb-run -a rm -rf x",
        "$host sudo rm -rf x",
        "${RUN} rm -rf x",
        "<node> rm -rf x",
        "outer -- inner -- rm -rf x",
        "pdsh -w h[1-9] rm -rf x",
    ];
    for unit in whole {
        check_dangers(Place::Code(Lang::Shell), &[(unit, &[unit])]);
    }
}

#[test]
fn a_string_that_a_program_runs() {
    let shell = Place::Code(Lang::Shell);
    check_dangers(
        shell,
        &[
            ("nix-shell -p git --run \"rm -rf x\"", &["nix-shell -p git --run \"rm -rf x"]),
            ("tool --command='rm -rf x' y", &["tool --command='rm -rf x"]),
            ("git rebase main --exec 'git clean -fd'", &["git rebase main --exec 'git clean -fd"]),
            ("git submodule foreach 'rm -rf x'", &["git submodule foreach 'rm -rf x"]),
            ("concurrently 'ls' 'rm -rf x'", &["concurrently 'ls' 'rm -rf x"]),
            ("gcloud compute ssh vm --command='rm -rf x'", &["gcloud compute ssh vm --command='rm -rf x"]),
            ("salt '*' cmd.run 'rm -rf x'", &["salt '*' cmd.run 'rm -rf x"]),
            ("knife ssh 'name:*' 'rm -rf x'", &["knife ssh 'name:*' 'rm -rf x"]),
            (
                "az vm run-command invoke --scripts 'rm -rf x'",
                &["az vm run-command invoke --scripts 'rm -rf x"],
            ),
            (
                "aws ssm send-command --parameters 'commands=[\"rm -rf x\"]'",
                &["aws ssm send-command --parameters 'commands=[\"rm -rf x\"]"],
            ),
            ("man -P 'rm -rf x' ls", &["man -P 'rm -rf x"]),
            ("sed -n '1e rm -rf x' a", &["sed -n '1e rm -rf x"]),
        ],
    );
}

#[test]
fn words_that_stay_data() {
    let quiet = [
        "echo -- rm -rf x",
        "printf -- 'rm -rf x'",
        "grep -- 'rm -rf' x",
        "set -- rm -rf x",
        "cargo run -- rm -rf x",
        "npm run lint -- rm -rf x",
        "git log -- rm",
        "command -v rm -rf",
        "$host status",
        "tool --title 'rm -rf x'",
        "git commit -m 'rm -rf x'",
        "tool -- rm x",
        "less -- rm -rf x",
    ];
    for unit in quiet {
        check_dangers(Place::Code(Lang::Shell), &[(unit, &[])]);
    }
}
