//! What an operand is: the kinds that the catalogue's tests name.

use super::super::command::Word;

/// Names that builds and caches give to what they can make again.
const DISPOSABLE: [&str; 47] = [
    "build",
    "builds",
    "dist",
    "out",
    "output",
    "target",
    "node_modules",
    "coverage",
    "htmlcov",
    "bin",
    "obj",
    "tmp",
    "temp",
    "cache",
    "caches",
    ".cache",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
    ".next",
    ".nuxt",
    ".turbo",
    ".parcel-cache",
    ".svelte-kit",
    ".gradle",
    ".vite",
    ".eggs",
    ".venv",
    "venv",
    ".terraform",
    "_build",
    "_site",
    "generated",
    "storybook-static",
    "playwright-report",
    "test-results",
    "cmake-build-debug",
    "cmake-build-release",
    "DerivedData",
    ".nyc_output",
    ".angular",
    ".dart_tool",
    ".output",
    ".serverless",
];

/// Directories that hold the system or everybody's files.
const SYSTEM: [&str; 26] = [
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib64",
    "/mnt",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/var",
    "/Users",
    "/System",
    "/Library",
    "/Applications",
    "/Volumes",
    "/usr/local",
    "/usr/bin",
    "/usr/lib",
    "/var/lib",
];

/// Files and directories without which the machine does not start, or lets anybody in.
const VITAL: [&str; 30] = [
    "/etc/passwd",
    "/etc/shadow",
    "/etc/group",
    "/etc/gshadow",
    "/etc/sudoers",
    "/etc/sudoers.d/*",
    "/etc/fstab",
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/ssh/*",
    "/etc/pam.d/*",
    "/etc/crontab",
    "/etc/ld.so.preload",
    "/etc/ld.so.conf",
    "/etc/profile",
    "/etc/environment",
    "/etc/crypttab",
    "/etc/nsswitch.conf",
    "/etc/inittab",
    "/boot/*",
    "/bin/*",
    "/sbin/*",
    "/lib/*",
    "/lib64/*",
    "/usr/bin/*",
    "/usr/sbin/*",
    "/usr/lib/*",
    "/System/*",
    "/etc/pam.conf",
    "/etc/default/grub",
];

/// Whether `word` passes `test`: a kind behind `@`, with what stands before it as a prefix (`of=@device`), or a form.
pub(super) fn passes(test: &str, word: &Word, any_case: bool) -> bool {
    let Some((prefix, kind)) = test.split_once('@') else { return like(test, &word.value, any_case) };
    let Some(value) = word.value.strip_prefix(prefix) else { return false };
    match kind {
        "any" => true,
        "device" => is_device(value),
        "system" => is_system(value),
        "vital" => is_vital(value),
        "root" => is_root(value),
        "here" => {
            matches!(tidy(value).as_str(), "." | "*" | ".*" | ".." | "../*" | "$PWD" | "${PWD}" | "$(pwd)")
        }
        "unset" => value.starts_with('$') && word.expands && !guarded(value),
        "guarded" => guarded(value),
        "disposable" => word.literal() && is_disposable(value),
        "wide" => word.glob && is_wide(value),
        "url" => is_url(value),
        "host" => is_host(value),
        "placeholder" => word.placeholder,
        // The catalogue's tests hold every kind to this list.
        _ => false,
    }
}

/// Whether an option's value is of the kind `kind`.
pub(super) fn is_kind(kind: &str, value: &str) -> bool {
    let mut word = Word::default();
    value.clone_into(&mut word.value);
    passes(&format!("@{kind}"), &word, false)
}

/// Whether `text` has the form `form`: `*` is any run of characters, `?` any one.
pub(super) fn like(form: &str, text: &str, any_case: bool) -> bool {
    let same = |a: u8, b: u8| a == b || (any_case && a.eq_ignore_ascii_case(&b));
    let (form, text) = (form.as_bytes(), text.as_bytes());
    // Nearly every word of every command is held against many forms, and differs at one end.
    let ends = |wanted: Option<&u8>, written: Option<&u8>| match (wanted, written) {
        (Some(b'*'), _) | (Some(b'?'), Some(_)) | (None, None) => true,
        (Some(wanted), Some(written)) => same(*wanted, *written),
        _ => false,
    };
    if !ends(form.first(), text.first()) || !ends(form.last(), text.last()) {
        return false;
    }
    let (mut f, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        match form.get(f) {
            Some(b'*') => {
                star = Some((f, t));
                f += 1;
            }
            Some(wanted) if *wanted == b'?' || same(*wanted, text[t]) => {
                f += 1;
                t += 1;
            }
            _ => match star {
                Some((back, from)) => {
                    star = Some((back, from + 1));
                    f = back + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    form[f..].iter().all(|rest| *rest == b'*')
}

/// `path` without doubled and trailing slashes and `/.` parts.
fn tidy(path: &str) -> String {
    let absolute = path.starts_with('/');
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// A disk, partition or volume: under `/dev`, but not one of the devices that hold nothing.
fn is_device(value: &str) -> bool {
    const HARMLESS: [&str; 16] = [
        "null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty*", "pts/*", "fd/*",
        "shm*", "ptmx", "console", "tcp/*", "udp/*",
    ];
    let lower = value.to_ascii_lowercase();
    lower.starts_with(r"\\.\physicaldrive")
        || value
            .strip_prefix("/dev/")
            .is_some_and(|name| !name.is_empty() && !HARMLESS.iter().any(|form| like(form, name, false)))
}

fn is_system(value: &str) -> bool {
    let path = tidy(value);
    SYSTEM.iter().any(|dir| path == *dir || path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/')))
}

fn is_vital(value: &str) -> bool {
    let path = tidy(value);
    let windows = path.to_ascii_lowercase().replace('\\', "/");
    VITAL.iter().any(|form| like(form, &path, false))
        || windows.starts_with("c:/windows/")
        || windows.starts_with("%systemroot%/")
        || is_device(value)
}

/// A file-system root, a home, the directory that one stands in, a top directory of the system, or all that is in one.
fn is_root(value: &str) -> bool {
    let path = tidy(value);
    let path = path.strip_suffix("/*").or(path.strip_suffix("/.*")).unwrap_or(&path);
    let path = if path.is_empty() { "/" } else { path };
    let lower = path.to_ascii_lowercase().replace('\\', "/");
    let drive = lower.trim_end_matches(['/', '*']);
    matches!(path, "/" | "~" | "$HOME" | "${HOME}")
        || (path.starts_with('~') && !path.contains('/'))
        || SYSTEM.contains(&path)
        || (drive.len() == 2 && drive.ends_with(':') && drive.starts_with(|c: char| c.is_ascii_alphabetic()))
        || matches!(
            drive,
            "%userprofile%"
                | "%systemroot%"
                | "%systemdrive%"
                | "$env:userprofile"
                | "$env:systemroot"
                | "$env:systemdrive"
                | "$home"
                | "c:/windows"
                | "c:/users"
                | "c:/program files"
        )
}

/// `${VAR:?}` or `${VAR?}`: the shell stops if the variable is empty or unset. Only a guard before all else helps.
fn guarded(value: &str) -> bool {
    value.strip_prefix("${").is_some_and(|rest| {
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        name.len() < rest.len() && (name.starts_with(":?") || name.starts_with('?'))
    })
}

fn is_disposable(value: &str) -> bool {
    let path = tidy(&value.replace('\\', "/"));
    let mut parts = path.split('/');
    let relative =
        !path.starts_with(['/', '~', '$', '%']) && !path.contains(':') && parts.all(|part| part != "..");
    relative && path.rsplit('/').next().is_some_and(|last| DISPOSABLE.contains(&last))
}

/// All that is in a directory, which is none that a build or a cache makes.
fn is_wide(value: &str) -> bool {
    let (above, last) = value.rsplit_once('/').unwrap_or(("", value));
    let scratch = above.split('/').any(|part| DISPOSABLE.contains(&part));
    matches!(last, "*" | "*.*" | ".*" | "**") && !scratch
}

/// What a container mounts, `SOURCE:TARGET` or `…,source=SOURCE,…`: a directory of the machine that gives it away.
fn is_host(value: &str) -> bool {
    const GIVES_AWAY: [&str; 13] = [
        "/", "/etc", "/proc", "/root", "/home", "/Users", "/var", "/var/run", "/run", "/boot", "/usr", "~",
        "$HOME",
    ];
    let named = value.split(',').find_map(|part| part.strip_prefix("source=").or(part.strip_prefix("src=")));
    let drive =
        usize::from(value.as_bytes().get(1) == Some(&b':') && value.as_bytes()[0].is_ascii_alphabetic()) * 2;
    let joined = || value[drive..].find(':').map(|end| &value[..drive + end]);
    let Some(source) = named.or_else(joined) else { return false };
    if drive > 0 {
        return source[drive..].trim_matches(['/', '\\']).is_empty();
    }
    let source = source.replace("${HOME}", "$HOME");
    let mut parts: Vec<&str> = Vec::new();
    for part in source.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match parts.last() {
            // above a home stand all homes
            Some(&("~" | "$HOME")) if part == ".." => parts = vec!["home"],
            _ if part == ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    let is_home = |part: &&str| matches!(*part, "~" | "$HOME");
    let rooted = source.starts_with('/') || parts.first() == Some(&"home") && source.contains("..");
    let path = if rooted { format!("/{}", parts.join("/")) } else { parts.join("/") };
    (rooted || parts.first().is_some_and(is_home)) && GIVES_AWAY.contains(&path.as_str())
}

fn is_url(value: &str) -> bool {
    let scheme = value.split("://").next().filter(|scheme| scheme.len() < value.len());
    scheme.is_some_and(|scheme| !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(value: &str) -> Word {
        let mut word = Word::default();
        word.value = value.to_owned();
        (word.glob, word.expands) = (value.contains('*'), value.contains('$'));
        word
    }

    #[test]
    fn kinds() {
        let cases: [(&str, &[&str], &[&str]); 10] = [
            (
                "@root",
                &[
                    "/",
                    "//",
                    "/.",
                    "/*",
                    "~",
                    "~/",
                    "~/*",
                    "~root",
                    "$HOME",
                    "${HOME}/",
                    "$HOME/*",
                    "/etc",
                    "/usr/",
                    "/home/*",
                    "C:\\",
                    "c:/*",
                    "%USERPROFILE%",
                    "$env:USERPROFILE\\*",
                ],
                &[
                    "build",
                    "/srv/app/tmp",
                    "~/code",
                    "$HOME/code",
                    "$OUT",
                    "./build",
                    "../x",
                    "C:\\work",
                    "a*",
                    ".",
                ],
            ),
            ("@here", &[".", "./", "./*", "*", "..", "../*", "$PWD"], &["/", "build", "../x", "*.log"]),
            (
                "@device",
                &[
                    "/dev/sda",
                    "/dev/nvme0n1",
                    "/dev/sdX",
                    "/dev/<disk>",
                    "/dev/mapper/vg-x",
                    "\\\\.\\PhysicalDrive0",
                ],
                &["/dev/null", "/dev/zero", "/dev/stdout", "/dev/tty1", "/dev/", "dev/sda", "/tmp/dev/sda"],
            ),
            ("of=@device", &["of=/dev/sda"], &["if=/dev/sda", "of=disk.img", "of=/dev/null"]),
            (
                "@disposable",
                &["build", "./build/", "packages/a/dist", "node_modules", "a\\b\\bin"],
                &[
                    "src",
                    "/build",
                    "~/build",
                    "../build",
                    "build/*",
                    "$X/build",
                    "buildings",
                    "C:\\build",
                    ".",
                ],
            ),
            (
                "@guarded",
                &["${OUT:?}", "${OUT:?no value}/x", "${OUT?}"],
                &["$OUT", "${OUT}", "${OUT:-x}", "a${OUT:?}"],
            ),
            ("@unset", &["$OUT", "${OUT}/x", "$(pwd)/x"], &["${OUT:?}/x", "x/$OUT"]),
            (
                "@wide",
                &["*", "/srv/x/*", "a/*.*", "$D/*"],
                &["*.log", "build/*", "/tmp/x/*", "web/dist/*", "a"],
            ),
            ("@url", &["https://example.com", "s3://bucket"], &["example.com", "://x", "a b://x"]),
            ("+?*", &["+topic", "+a:b"], &["+", "topic", "a+b"]),
        ];
        for (test, yes, no) in cases {
            for (values, expected) in [(yes, true), (no, false)] {
                for value in values {
                    assert_eq!(passes(test, &word(value), false), expected, "{test} {value}");
                }
            }
        }
    }

    #[test]
    fn a_form_is_held_against_the_whole_text() {
        let cases = [
            ("", "", true),
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abcd", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*a*b*", "xaxbx", true),
            ("**a", "bba", true),
            ("A", "a", false),
        ];
        for (form, text, expected) in cases {
            assert_eq!(like(form, text, false), expected, "{form} {text}");
        }
        assert!(like("A*", "abc", true));
    }
}
