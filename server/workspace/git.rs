//! Git, asked as one asks a stranger: a repository may come with a configuration that runs programs, and may be missing
//! half of its objects.
//!
//! Only plumbing that reads objects and the index is run: nothing that looks at the work tree (that would run its
//! filters), nothing that shows differences (that would run text conversions), no hook, no pager, no network.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why git did not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GitError {
    /// There is no git that can be run.
    NoGit,
    /// This is no repository, or git does not trust it.
    NoRepository,
    /// There is no such commit.
    NoCommit {
        /// The clone is shallow: it may be there where it came from.
        shallow: bool,
    },
    /// An object of the commit is not here (a partial clone), and nothing is fetched.
    Missing,
    /// Git answered what we do not understand.
    Strange,
}

impl GitError {
    /// A sentence for a person.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            GitError::NoGit => "git cannot be run",
            GitError::NoRepository => "this is no git repository, or not one that git trusts",
            GitError::NoCommit { shallow: false } => "there is no such commit in this repository",
            GitError::NoCommit { shallow: true } => {
                "there is no such commit in this repository; it is a shallow clone, and nothing is fetched here: \
                 `git fetch --unshallow`, or `fetch-depth: 0` where it is checked out"
            }
            GitError::Missing => {
                "an object of that commit is not in this repository; it is a partial clone, and nothing is fetched here"
            }
            GitError::Strange => "git gave an answer that cannot be read",
        }
    }
}

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path from the repository's root.
    pub path: PathBuf,
    /// The object that is its content.
    pub object: String,
    /// Whether it is a link.
    pub link: bool,
}

/// The commit that a line came with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Its full name.
    pub commit: String,
    /// When it was written, in seconds since 1970.
    pub seconds: i64,
}

/// A repository with a work tree.
#[derive(Clone, Debug)]
pub struct Repository {
    root: PathBuf,
}

impl Repository {
    /// The repository whose work tree has its root at `root` (absolute).
    #[must_use]
    pub fn at(root: PathBuf) -> Repository {
        Repository { root }
    }

    /// The root of its work tree.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        if let Some(above) = self.root.parent() {
            // A `.git` that is none must not have git look further up.
            command.env("GIT_CEILING_DIRECTORIES", above);
        }
        for (name, value) in [
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_ATTR_NOSYSTEM", "1"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_NO_REPLACE_OBJECTS", "1"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("LC_ALL", "C"),
        ] {
            command.env(name, value);
        }
        for set in [
            "core.fsmonitor=false",
            "core.untrackedCache=false",
            "core.hooksPath=/dev/null",
            "core.pager=cat",
            "core.sshCommand=false",
            "core.askPass=false",
            "core.alternateRefsCommand=false",
            "protocol.allow=never",
            "blame.ignoreRevsFile=",
            "blame.showEmail=false",
        ] {
            command.args(["-c", set]);
        }
        command.arg("--no-pager").args(arguments).current_dir(&self.root);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// What git prints, or `None` where its status is not 0.
    fn ask(&self, arguments: &[&str]) -> Result<Option<Vec<u8>>, GitError> {
        let output = self.command(arguments).output().map_err(|_| GitError::NoGit)?;
        Ok(output.status.success().then_some(output.stdout))
    }

    fn line(&self, arguments: &[&str]) -> Result<Option<String>, GitError> {
        let answer = self.ask(arguments)?;
        Ok(answer.and_then(|bytes| Some(String::from_utf8(bytes).ok()?.trim_end().to_owned())))
    }

    /// The full name of the commit that `revision` names.
    ///
    /// # Errors
    /// There is none, or git cannot say.
    pub fn commit(&self, revision: &str) -> Result<String, GitError> {
        let Some(shallow) = self.line(&["rev-parse", "--is-shallow-repository"])? else {
            return Err(GitError::NoRepository);
        };
        let commit = format!("{revision}^{{commit}}");
        let found = self.line(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])?;
        let is_name = |name: &String| name.len() >= 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        found.filter(is_name).ok_or(GitError::NoCommit { shallow: shallow == "true" })
    }

    /// The files of `commit`, in git's order; submodules are left out.
    ///
    /// # Errors
    /// A tree of it is missing.
    pub fn files(&self, commit: &str) -> Result<Vec<Entry>, GitError> {
        let listed = self.ask(&["ls-tree", "-r", "-z", "--full-tree", commit])?.ok_or(GitError::Missing)?;
        let mut entries = Vec::new();
        for line in listed.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
            let tab = line.iter().position(|byte| *byte == b'\t').ok_or(GitError::Strange)?;
            let head = std::str::from_utf8(&line[..tab]).map_err(|_| GitError::Strange)?;
            let [mode, kind, object] = head.split(' ').collect::<Vec<_>>()[..] else {
                return Err(GitError::Strange);
            };
            if kind == "blob" {
                let (path, link) = (path_of(&line[tab + 1..]), mode == "120000");
                entries.push(Entry { path, object: object.to_owned(), link });
            }
        }
        Ok(entries)
    }

    /// The paths of the files that git tracks now, from the repository's root, and of each whether it is meant to be in
    /// the work tree (in a sparse checkout not all are).
    ///
    /// # Errors
    /// Git cannot say.
    pub fn tracked(&self) -> Result<Vec<(PathBuf, bool)>, GitError> {
        let listed = self.ask(&["ls-files", "-z", "-t", "--cached"])?.ok_or(GitError::Strange)?;
        let lines = listed.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        // A letter, a blank, the path. `S`: skipped in the work tree.
        let entry = |line: &[u8]| Some((path_of(line.get(2..)?), line.first() != Some(&b'S')));
        lines.map(|line| entry(line).ok_or(GitError::Strange)).collect()
    }

    /// Hands the content of each of `objects` to `each`, in order, with its index; one larger than `limit` bytes without
    /// its content.
    ///
    /// # Errors
    /// One is missing.
    pub fn contents(
        &self,
        objects: &[&str],
        limit: u64,
        mut each: impl FnMut(usize, Option<Vec<u8>>),
    ) -> Result<(), GitError> {
        if objects.is_empty() {
            return Ok(());
        }
        let mut child = self
            .command(&["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .spawn()
            .map_err(|_| GitError::NoGit)?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else { return Err(GitError::Strange) };
        let asked: String = objects.iter().flat_map(|object| [object, "\n"]).collect();
        let answered = std::thread::scope(|scope| {
            // Beside the reading: git answers while it reads.
            scope.spawn(move || drop(stdin.write_all(asked.as_bytes())));
            let mut stdout = BufReader::new(stdout);
            objects.iter().enumerate().try_for_each(|(index, object)| {
                each(index, content(&mut stdout, object, limit)?);
                Ok(())
            })
        });
        // Whatever it said last has been read, or is of no use.
        let _ = child.kill();
        let _ = child.wait();
        answered
    }

    /// For each line of the file at `path` (from the repository's root) in the last commit: its text and the commit that
    /// it came with. `None`: git knows no such file.
    ///
    /// # Errors
    /// Git cannot be run.
    pub fn blame(&self, path: &Path) -> Result<Option<Vec<(String, Origin)>>, GitError> {
        let mut command = self.command(&["blame", "--line-porcelain", "--no-textconv", "HEAD", "--"]);
        let output = command.arg(path).output().map_err(|_| GitError::NoGit)?;
        if !output.status.success() {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let mut lines = Vec::new();
        let (mut commit, mut seconds) = (None, 0);
        for line in text.split('\n') {
            if let Some(content) = line.strip_prefix('\t') {
                if let Some(commit) = commit.take() {
                    lines.push((content.trim_end_matches('\r').to_owned(), Origin { commit, seconds }));
                }
            } else if commit.is_none() {
                commit = line.split(' ').next().filter(|name| name.len() >= 40).map(str::to_owned);
            } else if let Some(time) = line.strip_prefix("author-time ") {
                seconds = time.parse().unwrap_or_default();
            }
        }
        Ok(Some(lines))
    }
}

/// One answer of `cat-file --batch`: `NAME TYPE SIZE`, the content, a line end.
fn content(from: &mut impl io::BufRead, object: &str, limit: u64) -> Result<Option<Vec<u8>>, GitError> {
    let strange = |_| GitError::Strange;
    let mut head = String::new();
    from.take(200).read_line(&mut head).map_err(strange)?;
    if head.trim_end().ends_with(" missing") {
        return Err(GitError::Missing);
    }
    let mut words = head.trim_end().split(' ');
    let (name, kind, size) = (words.next(), words.next(), words.next().and_then(|size| size.parse().ok()));
    let (true, Some("blob"), Some(size)) = (name == Some(object), kind, size) else {
        return Err(GitError::Strange);
    };
    let size: u64 = size;
    let content = if size > limit {
        let passed = io::copy(&mut from.take(size), &mut io::sink()).map_err(strange)?;
        if passed != size {
            return Err(GitError::Strange);
        }
        None
    } else {
        let mut content = vec![0; usize::try_from(size).map_err(|_| GitError::Strange)?];
        from.read_exact(&mut content).map_err(strange)?;
        Some(content)
    };
    from.read_exact(&mut [0]).map_err(strange)?;
    Ok(content)
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
