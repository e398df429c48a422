//! The names and words by which a bare command is known in prose.

use super::guess;

/// Programs that are looked for in prose. Sorted.
pub(super) const PROGRAMS: &[&str] = &[
    "add-mppreference",
    "add-type",
    "ansible",
    "apt",
    "apt-get",
    "ash",
    "aws",
    "az",
    "base32",
    "base64",
    "bash",
    "bfg",
    "blkdiscard",
    "brew",
    "bun",
    "cargo",
    "cat",
    "cdk",
    "chmod",
    "chown",
    "claude",
    "codex",
    "crontab",
    "curl",
    "dd",
    "del",
    "diskpart",
    "diskutil",
    "doas",
    "docker",
    "docker-compose",
    "doctl",
    "dropdb",
    "echo",
    "env",
    "erase",
    "eval",
    "fdisk",
    "find",
    "firewall-cmd",
    "flux",
    "fly",
    "flyctl",
    "format",
    "gcloud",
    "gem",
    "gemini",
    "gh",
    "git",
    "grep",
    "gsutil",
    "halt",
    "helm",
    "heroku",
    "http",
    "https",
    "iex",
    "init",
    "invoke-expression",
    "invoke-webrequest",
    "ip6tables",
    "ipfw",
    "iptables",
    "irm",
    "iwr",
    "kill",
    "killall",
    "ksh",
    "kubectl",
    "launchctl",
    "mkfs",
    "mongo",
    "mongosh",
    "mv",
    "mysql",
    "mysqladmin",
    "nc",
    "ncat",
    "netcat",
    "nft",
    "node",
    "nohup",
    "npm",
    "npx",
    "oc",
    "parted",
    "perl",
    "php",
    "pip",
    "pkill",
    "pnpm",
    "podman",
    "poweroff",
    "powershell",
    "printf",
    "psql",
    "pulumi",
    "pwsh",
    "python",
    "python3",
    "rd",
    "reboot",
    "redis-cli",
    "reg",
    "remove-item",
    "rg",
    "rm",
    "rmdir",
    "robocopy",
    "rsync",
    "ruby",
    "sed",
    "service",
    "set-executionpolicy",
    "set-mppreference",
    "sfdisk",
    "sgdisk",
    "sh",
    "shred",
    "shutdown",
    "socat",
    "source",
    "srm",
    "stop-process",
    "su",
    "sudo",
    "svc",
    "swapoff",
    "systemctl",
    "tac",
    "taskkill",
    "tee",
    "terraform",
    "terragrunt",
    "timeout",
    "tofu",
    "truncate",
    "twine",
    "ufw",
    "unlink",
    "userdel",
    "vault",
    "vercel",
    "vssadmin",
    "wbadmin",
    "wget",
    "wipefs",
    "wmic",
    "xargs",
    "xh",
    "yarn",
    "zfs",
    "zpool",
    "zsh",
];

/// Programs that begin a line of a script, and whose words are data or harmless.
const QUIET: &[&str] = &[
    "alias", "awk", "cat", "cd", "cp", "echo", "export", "grep", "head", "jq", "less", "ls", "make", "man",
    "mkdir", "printf", "rg", "sort", "tail", "test", "touch", "which",
];

/// Whether a text begins as a line of a script does, so that it is no sentence.
pub(in crate::facts::command) fn is_script(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let lower = first.bytes().all(|byte| !byte.is_ascii_uppercase());
    (name_of(first).is_some_and(|name| !ENGLISH.contains(&name))
        || QUIET.contains(&first)
        || first.contains('='))
        && lower
}

/// Names among them that English sentences use for something else.
pub(super) const ENGLISH: &[&str] = &[
    "echo", "printf", "grep", "rg", "find", "format", "kill", "service", "source", "timeout", "truncate",
    "init", "halt", "reboot", "shutdown", "node", "fly", "env", "parted", "shred", "tee", "sh", "claude",
    "codex", "gemini", "http", "cat", "unlink", "erase", "del", "flux", "https", "perl", "ruby", "python",
    "su",
];

/// Words that say that a command follows.
pub(super) const INTRODUCERS: &[&str] = &[
    "run",
    "runs",
    "running",
    "execute",
    "executes",
    "executing",
    "use",
    "using",
    "follow",
    "call",
    "invoke",
    "issue",
    "enter",
    "try",
    "do",
    "via",
    "command",
    "commands",
    "must",
    "always",
    "then",
    "just",
    "with",
    "never",
    "not",
    "launch",
    "perform",
    "ejecuta",
    "ejecute",
    "exécutez",
    "führe",
];

/// Words with which prose goes on after a command.
const STOPS: &[&str] = &[
    "and",
    "or",
    "nor",
    "then",
    "to",
    "before",
    "after",
    "when",
    "while",
    "if",
    "because",
    "in",
    "on",
    "from",
    "for",
    "with",
    "without",
    "which",
    "that",
    "is",
    "are",
    "was",
    "were",
    "will",
    "would",
    "should",
    "can",
    "could",
    "may",
    "as",
    "but",
    "unless",
    "until",
    "since",
    "so",
    "at",
    "by",
    "into",
    "instead",
    "here",
    "ever",
    "again",
    "first",
    "once",
    "where",
    "who",
    "it",
    "this",
    "has",
    "have",
    "does",
    "do",
    "under",
    "except",
    "however",
    "yet",
    "only",
    "now",
    "also",
    "you",
    "we",
    "they",
    "removes",
    "restores",
    "discards",
    "wipes",
    "reverts",
    "undoes",
    "stops",
    "destroys",
    "erases",
    "resets",
    "clears",
    "deletes",
    "during",
    "via",
    "using",
    "against",
    "twice",
    "afterwards",
    "immediately",
];

pub(super) const NEGATIONS: &[&str] = &[
    "not",
    "never",
    "don't",
    "don\u{2019}t",
    "dont",
    "avoid",
    "cannot",
    "can't",
    "no",
    "without",
    "forbidden",
    "prohibited",
];

/// Whether prose goes on with `word` after a command. Every word behind a program's name is asked.
pub(super) fn is_stop(word: &str) -> bool {
    const LENGTHS: [u32; 128] = lengths(STOPS);
    let first = word.bytes().next().and_then(|first| LENGTHS.get(usize::from(first))).copied().unwrap_or(0);
    first >> word.len().min(31) & 1 == 1 && STOPS.contains(&word)
}

/// Of each letter, how long the words are that begin with it: a bit for each length.
const fn lengths(words: &[&str]) -> [u32; 128] {
    let mut lengths = [0; 128];
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_bytes();
        let length = if word.len() < 31 { word.len() } else { 31 };
        lengths[word[0] as usize] |= 1 << length;
        at += 1;
    }
    lengths
}

/// Whether a program begins with the letter of `word`, in either case, and is as long: a first look at every word.
fn may_be_program(word: &str) -> bool {
    const LENGTHS: [u32; 128] = lengths(PROGRAMS);
    let first = word.bytes().next().map(|first| usize::from(first.to_ascii_lowercase()));
    let lengths = first.and_then(|first| LENGTHS.get(first)).copied().unwrap_or(0);
    lengths >> word.len().min(31) & 1 == 1
}

/// The program that a word names, if it is looked for in prose.
pub(in crate::facts::command) fn name_of(word: &str) -> Option<&'static str> {
    let word = word.trim_end_matches(['.', ',', ';', ':', ')', '"', '\'']);
    if word.len() > 128 || !word.starts_with(|c: char| c.is_ascii_alphabetic() || "/~.\\$".contains(c)) {
        return None;
    }
    let base = word.rsplit('/').next()?;
    let unquoted: String;
    let plain = if base.contains(['\\', '\'', '"']) {
        unquoted = base.chars().filter(|c| !matches!(c, '\\' | '\'' | '"')).collect();
        &unquoted
    } else {
        base
    };
    let plain = plain.strip_suffix(".exe").unwrap_or(plain);
    let named = guess::is_cmdlet(plain) || plain.starts_with("mkfs.");
    if !named && !may_be_program(plain) {
        return None;
    }
    let found = if named {
        PROGRAMS.binary_search(&if plain.starts_with("mkfs.") { "mkfs" } else { "remove-item" })
    } else {
        PROGRAMS.binary_search(&plain)
    };
    // a sentence begins with a capital
    let found = found.or_else(|at| match plain.bytes().next() {
        Some(first) if first.is_ascii_uppercase() => {
            PROGRAMS.binary_search(&plain.to_ascii_lowercase().as_str())
        }
        _ => Err(at),
    });
    found.ok().map(|at| PROGRAMS[at])
}

/// Whether a text has what no English sentence has.
pub(super) fn shaped(command: &str) -> bool {
    if ["echo", "printf"].iter().any(|name| command.starts_with(name)) && command.contains(['"', '\'']) {
        return true;
    }
    command.split_whitespace().skip(1).any(|word| {
        let bytes = word.as_bytes();
        (bytes[0] == b'-' && bytes.len() > 1 && (bytes[1].is_ascii_alphanumeric() || bytes[1] == b'-'))
            || bytes[0] == b'/'
            || bytes[0] == b'~'
            || bytes[0] == b'$'
            || (bytes[0] == b'+' && bytes.len() > 1)
            || word.contains(['|', '>', '*', '='])
            || word.contains("://")
            || word.contains("$(")
            || word.ends_with('/')
            || word.starts_with("./")
            || (bytes.len() > 1 && bytes[1] == b':' && bytes[0].is_ascii_alphabetic())
            || matches!(word, "777" | "0777" | "a+rwx")
    }) || command.contains("&&")
}
