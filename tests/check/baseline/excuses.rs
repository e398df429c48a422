//! What a change writes into files and configurations judges the next one, and is told.

use serde_json::Value;

use super::{DAY, check_change, commit, compared, repository};
use crate::folder::{CALM, GIVEN};
use crate::schema;

#[test]
fn a_change_cannot_excuse_itself_in_the_file() {
    let allowed = format!("<!-- caveat-allow-file rm-rf {DAY} -->\n\n{GIVEN}");
    check_change(
        &[("AGENTS.md", CALM)],
        &[("AGENTS.md", Some(&allowed))],
        &["AGENTS.md:6 rm-rf new", "loosened AGENTS.md suppression-added rm-rf"],
        1,
    );
    check_change(
        &[("AGENTS.md", GIVEN)],
        &[("AGENTS.md", Some(&allowed))],
        &["AGENTS.md:6 rm-rf unchanged", "loosened AGENTS.md suppression-added rm-rf"],
        0,
    );
    // What was granted stays granted, and moves with its file.
    let more = format!("{allowed}\nMore.\n");
    check_change(&[("AGENTS.md", &allowed)], &[("AGENTS.md", Some(&more))], &[], 0);
    check_change(&[("AGENTS.md", &allowed)], &[("AGENTS.md", None), ("x/AGENTS.md", Some(&allowed))], &[], 0);
    let longer = allowed.replace("2099-12-31", "2100-12-31");
    check_change(
        &[("AGENTS.md", &allowed)],
        &[("AGENTS.md", Some(&longer))],
        &["loosened AGENTS.md suppression-extended rm-rf"],
        0,
    );
    // A suppression that is carried to another block covers nothing there.
    let block = |first: &str, second: &str| {
        format!(
            "# A\n\n{first}```sh\nrm -rf /srv/data\n```\n\n# B\n\n{second}```sh\nrm -rf /srv/other\n```\n"
        )
    };
    let allow = format!("<!-- caveat-allow rm-rf {DAY} -->\n\n");
    check_change(
        &[("AGENTS.md", &block(&allow, ""))],
        &[("AGENTS.md", Some(&block("", &allow)))],
        &[
            "AGENTS.md:4 rm-rf new",
            "AGENTS.md:12 rm-rf unchanged",
            "loosened AGENTS.md suppression-added rm-rf",
        ],
        1,
    );
    // One that is taken away leaves its finding behind.
    check_change(
        &[("AGENTS.md", &block(&allow, ""))],
        &[("AGENTS.md", Some(&block("", "")))],
        &["AGENTS.md:4 rm-rf new", "AGENTS.md:10 rm-rf unchanged"],
        1,
    );
}

#[test]
fn a_change_cannot_excuse_itself_in_its_configuration() {
    let off = "rules.rm-rf = { severity = 'off', reason = 'x' }\n";
    check_change(
        &[("AGENTS.md", CALM)],
        &[("AGENTS.md", Some(GIVEN)), ("caveat.toml", Some(off))],
        &[
            "AGENTS.md:4 rm-rf new",
            "loosened caveat.toml configuration-added",
            "loosened caveat.toml rule-off rm-rf",
        ],
        1,
    );
    let suppression =
        "exclude = ['AGENTS.md']\n[[suppressions]]\nrule = 'rm-rf'\nreason = 'x'\nexpires = 2099-01-01\n";
    check_change(
        &[("AGENTS.md", CALM), ("caveat.toml", "labels = []\n")],
        &[("AGENTS.md", Some(GIVEN)), ("caveat.toml", Some(suppression))],
        &[
            "AGENTS.md:4 rm-rf new",
            "loosened caveat.toml less-read",
            "loosened caveat.toml suppression-added rm-rf",
        ],
        1,
    );
    // What the base decided holds for both, and a nested file does not stand between.
    check_change(
        &[("x/AGENTS.md", CALM), ("caveat.toml", off)],
        &[("x/AGENTS.md", Some(GIVEN)), ("x/caveat.toml", Some("stance = 'on'\n"))],
        &["loosened x/caveat.toml configuration-added"],
        0,
    );
    // Neither does an ignore file hide what git knows.
    check_change(
        &[("AGENTS.md", CALM)],
        &[("AGENTS.md", Some(GIVEN)), (".gitignore", Some("AGENTS.md\n"))],
        &["AGENTS.md:4 rm-rf new"],
        1,
    );
}

#[test]
fn a_configuration_that_is_wrong_now_is_status_2() {
    let folder = repository(&[("AGENTS.md", CALM)]);
    folder.write("caveat.toml", b"lables = []\n");
    let ran = folder.run(&["check", "--baseline", "HEAD"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("did you mean `labels`?"), "{ran:?}");
    commit(&folder);
    folder.write("caveat.toml", b"labels = []\n");
    let (told, status) = compared(&folder, &[]);
    assert_eq!(
        (told.as_slice(), status),
        (
            &[
                "loosened caveat.toml configuration-added".to_owned(),
                "loosened caveat.toml base-unreadable".to_owned()
            ][..],
            0
        )
    );
}

/// What a change loosens is told where a pull request is looked at, by the names that the repository has.
#[test]
fn what_is_loosened_is_annotated_and_notified() {
    let folder = repository(&[("docs/AGENTS.md", GIVEN), ("caveat.toml", "")]);
    folder.write("caveat.toml", b"\n[rules]\nrm-rf = { severity = 'off', reason = 'x' }\n");
    let says = "Loosened by this change, and not yet in force: a rule is switched off (rm-rf).";
    for part in [&[][..], &["docs"]] {
        let run =
            |format: &str| folder.run(&[&["check", "--baseline", "HEAD", "--format", format], part].concat());
        let expected = format!("::warning file=caveat.toml,line=3,title=caveat loosened::{says}\n");
        let annotated = run("github").stdout;
        assert!(annotated.contains(&expected), "{annotated}");
        let log: Value = serde_json::from_str(&run("sarif").stdout).expect("JSON");
        schema::validate(&log, &schema::of_sarif());
        let told = &log["runs"][0]["invocations"][0]["toolConfigurationNotifications"];
        assert_eq!((told.as_array().map(Vec::len), &told[0]["message"]["text"]), (Some(1), &says.into()));
        let place = &told[0]["locations"][0]["physicalLocation"];
        assert_eq!(
            (&place["artifactLocation"]["uri"], &place["region"]["startLine"]),
            (&"caveat.toml".into(), &3.into())
        );
        assert_eq!(told[0]["associatedRule"]["id"], "rm-rf");
    }
    assert_eq!(compared(&folder, &["docs"]).0.last().unwrap(), "loosened ../caveat.toml rule-off rm-rf");
    let told = folder.run(&["check", "--baseline", "HEAD", "docs"]).stdout;
    assert!(told.contains("\n  caveat.toml:3  a rule is switched off (rm-rf)\n"), "{told}");
}
