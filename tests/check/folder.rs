//! A folder with files in it, and the binary run there.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A document with one error: a command that is given.
pub(crate) const GIVEN: &str = "# Deploy\n\n```sh\nrm -rf /srv/data\n```\n";
/// One with one warning.
pub(crate) const WARNED: &str = "# Tidy\n\n```sh\ngit clean -fdx\n```\n";
/// One whose only command is forbidden, provably.
pub(crate) const FORBIDDEN: &str = "# Deploy\n\nNever run these commands:\n\n```sh\nrm -rf /srv/data\n```\n";
/// One in which nothing is dangerous.
pub(crate) const CALM: &str = "# Deploy\n\nRead the change first.\n";

/// A folder of its own, gone when it is dropped. It lies outside any repository.
pub(crate) struct Folder(TempDir);

/// What a run of the binary came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    /// A folder with these files, by their paths.
    pub(crate) fn with<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Folder {
        let folder = Folder(TempDir::new().expect("a temporary folder"));
        for (name, content) in files {
            folder.write(name, content.as_ref());
        }
        folder
    }

    pub(crate) fn write(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, content).expect("a file");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `caveat ARGUMENTS` in the folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, b"")
    }

    /// Runs it in a folder below.
    pub(crate) fn run_in(&self, below: &str, arguments: &[&str]) -> Ran {
        ran(binary(&self.path(below), arguments), b"")
    }

    /// Runs it with `input` on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        ran(binary(self.0.path(), arguments), input)
    }

    /// Runs it with a fault in the analysis of files that are called `name`.
    #[cfg(debug_assertions)]
    pub(crate) fn run_failing_on(&self, name: &str, arguments: &[&str]) -> Ran {
        let mut command = binary(self.0.path(), arguments);
        command.env("CAVEAT_DEBUG_FAIL_ON", name);
        ran(command, b"")
    }
    /// The JSON report of `caveat check --format json ARGUMENTS`, and the status.
    #[track_caller]
    pub(crate) fn report(&self, arguments: &[&str]) -> (Value, i32) {
        let ran = self.run(&[&["check", "--format", "json"], arguments].concat());
        let report = serde_json::from_str(&ran.stdout);
        (report.unwrap_or_else(|_| panic!("no JSON report, but {ran:?}")), ran.status)
    }
}

/// What a run of `command` with `input` on standard input comes to.
fn ran(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // Beside the reading: the binary answers while it reads. It need not read all: then the pipe is closed, which
    // is no matter here.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the binary ends")
    });
    Ran {
        status: output.status.code().expect("a status"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8 on stderr"),
    }
}

/// The binary, to be run in `folder`, with nothing of this process's environment that changes what it prints.
pub(crate) fn binary(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caveat"));
    command.current_dir(folder).args(arguments);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// `FILE RULE STATUS` for each finding of a report, in its order.
pub(crate) fn findings(report: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let findings = report["findings"].as_array().expect("findings").iter();
    findings.map(|f| format!("{} {} {}", text(&f["file"]), text(&f["rule"]), text(&f["status"]))).collect()
}

/// `FILE REASON` for each thing that was not read.
pub(crate) fn skipped(report: &Value) -> Vec<String> {
    let skipped = report["skipped"].as_array().expect("skipped").iter();
    skipped.map(|s| format!("{} {}", s["file"].as_str().unwrap(), s["reason"].as_str().unwrap())).collect()
}
