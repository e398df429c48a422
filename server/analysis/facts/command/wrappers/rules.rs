//! The wrappers that are known: what may stand between each one's name and the command that it runs.

/// How the command is found behind a wrapper's name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// The name, with the subcommand where there is one.
    pub(super) name: &'static str,
    /// One-letter options that take a value.
    pub(super) values: &'static str,
    /// Long options that take a value in the next word.
    pub(super) longs: &'static [&'static str],
    /// One-letter options with which nothing is run: `command -v`.
    pub(super) stops: &'static str,
    /// How many operands stand before the command.
    pub(super) operands: usize,
    /// Whether `NAME=value` may stand before the command.
    pub(super) assigns: bool,
    /// Whether the command stands only behind `--`.
    pub(super) dashes: bool,
}

const PLAIN: Rule =
    Rule { name: "", values: "", longs: &[], stops: "", operands: 0, assigns: false, dashes: false };

/// The long options of `docker run` and `podman run` that take a value: the two are made to be exchanged.
const RUN_OPTIONS: &[&str] = &[
    "env",
    "volume",
    "publish",
    "workdir",
    "user",
    "hostname",
    "label",
    "memory",
    "name",
    "network",
    "mount",
    "entrypoint",
    "env-file",
    "platform",
    "cpus",
    "restart",
    "add-host",
    "cap-add",
    "cap-drop",
    "device",
    "gpus",
    "ip",
    "pid",
    "security-opt",
    "shm-size",
    "tmpfs",
    "ulimit",
    "volumes-from",
    "log-driver",
    "log-opt",
    "dns",
];

/// Manuals of sudo, GNU coreutils, util-linux, findutils, strace, OpenSSH, Docker, Kubernetes and others.
pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "sudo",
        values: "ugCDhpRrtTU",
        longs: &[
            "user",
            "group",
            "chdir",
            "host",
            "prompt",
            "role",
            "type",
            "close-from",
            "chroot",
            "command-timeout",
            "other-user",
        ],
        stops: "lvV",
        assigns: true,
        ..PLAIN
    },
    Rule { name: "doas", values: "uCa", ..PLAIN },
    Rule { name: "pkexec", longs: &["user"], ..PLAIN },
    Rule {
        name: "run0",
        values: "ugD",
        longs: &["user", "group", "unit", "property", "chdir", "nice"],
        ..PLAIN
    },
    Rule { name: "gosu", operands: 1, ..PLAIN },
    Rule { name: "su-exec", operands: 1, ..PLAIN },
    Rule {
        name: "env",
        values: "uCa",
        longs: &["unset", "chdir", "argv0"],
        stops: "S",
        assigns: true,
        ..PLAIN
    },
    Rule { name: "command", stops: "vV", ..PLAIN },
    Rule { name: "builtin", ..PLAIN },
    Rule { name: "noglob", ..PLAIN },
    Rule { name: "nocorrect", ..PLAIN },
    Rule { name: "exec", values: "a", ..PLAIN },
    Rule { name: "nohup", ..PLAIN },
    Rule { name: "nice", values: "n", longs: &["adjustment"], ..PLAIN },
    Rule { name: "time", values: "fo", longs: &["format", "output"], ..PLAIN },
    Rule { name: "timeout", values: "ks", longs: &["signal", "kill-after"], operands: 1, ..PLAIN },
    Rule { name: "gtimeout", values: "ks", longs: &["signal", "kill-after"], operands: 1, ..PLAIN },
    Rule { name: "stdbuf", values: "ioe", longs: &["input", "output", "error"], ..PLAIN },
    Rule { name: "unbuffer", ..PLAIN },
    Rule { name: "setsid", ..PLAIN },
    Rule { name: "caffeinate", values: "tw", ..PLAIN },
    Rule { name: "ionice", values: "cn", longs: &["class", "classdata"], ..PLAIN },
    Rule { name: "taskset", operands: 1, ..PLAIN },
    Rule { name: "chrt", values: "TPD", operands: 1, ..PLAIN },
    Rule { name: "numactl", values: "CNmipl", ..PLAIN },
    Rule { name: "chronic", ..PLAIN },
    Rule { name: "torsocks", ..PLAIN },
    Rule { name: "proxychains", values: "f", ..PLAIN },
    Rule { name: "proxychains4", values: "f", ..PLAIN },
    Rule { name: "fakeroot", ..PLAIN },
    Rule { name: "chroot", longs: &["userspec", "groups"], operands: 1, ..PLAIN },
    Rule {
        name: "systemd-run",
        values: "upHMsE",
        longs: &[
            "unit",
            "property",
            "host",
            "machine",
            "description",
            "slice",
            "uid",
            "gid",
            "nice",
            "working-directory",
            "service-type",
            "setenv",
            "on-active",
            "on-boot",
            "on-calendar",
        ],
        ..PLAIN
    },
    Rule {
        name: "unshare",
        values: "SGRw",
        longs: &["setuid", "setgid", "root", "wd", "propagation"],
        ..PLAIN
    },
    Rule { name: "nsenter", values: "tSG", longs: &["target", "setuid", "setgid"], ..PLAIN },
    Rule { name: "ip netns exec", operands: 1, ..PLAIN },
    Rule { name: "setpriv", longs: &["reuid", "regid", "groups", "inh-caps", "ambient-caps"], ..PLAIN },
    Rule { name: "firejail", ..PLAIN },
    Rule { name: "strace", values: "aebEIoOpPsSuUX", ..PLAIN },
    Rule { name: "ltrace", values: "aAeDFlnopsuwxX", ..PLAIN },
    Rule {
        name: "flock",
        values: "wE",
        longs: &["timeout", "wait", "conflict-exit-code"],
        operands: 1,
        ..PLAIN
    },
    Rule { name: "busybox", ..PLAIN },
    Rule { name: "toybox", ..PLAIN },
    Rule { name: "runuser", values: "ugG", longs: &["user", "group", "supp-group"], stops: "lc", ..PLAIN },
    Rule {
        name: "xargs",
        values: "IadEsnPL",
        longs: &["max-args", "max-procs", "delimiter", "arg-file", "max-chars", "process-slot-var"],
        ..PLAIN
    },
    Rule {
        name: "parallel",
        values: "jIaSNnLlC",
        longs: &[
            "jobs", "arg-file", "delay", "timeout", "retries", "joblog", "colsep", "sshlogin", "halt",
            "results",
        ],
        ..PLAIN
    },
    Rule { name: "watch", values: "n", longs: &["interval"], ..PLAIN },
    Rule { name: "ssh", values: "BbcDEeFIiJLlmOopQRSWw", operands: 1, ..PLAIN },
    Rule { name: "wsl", values: "du", longs: &["distribution", "user", "cd"], ..PLAIN },
    Rule { name: "adb shell", ..PLAIN },
    Rule {
        name: "docker exec",
        values: "euw",
        longs: &["env", "user", "workdir", "env-file", "detach-keys"],
        operands: 1,
        ..PLAIN
    },
    Rule {
        name: "podman exec",
        values: "euw",
        longs: &["env", "user", "workdir", "env-file", "detach-keys"],
        operands: 1,
        ..PLAIN
    },
    Rule { name: "nerdctl exec", values: "euw", longs: &["env", "user", "workdir"], operands: 1, ..PLAIN },
    Rule {
        name: "docker compose exec",
        values: "euw",
        longs: &["env", "user", "workdir", "index"],
        operands: 1,
        ..PLAIN
    },
    Rule {
        name: "docker-compose exec",
        values: "euw",
        longs: &["env", "user", "workdir", "index"],
        operands: 1,
        ..PLAIN
    },
    Rule {
        name: "docker compose run",
        values: "evupw",
        longs: &["env", "volume", "user", "name", "workdir", "entrypoint"],
        operands: 1,
        ..PLAIN
    },
    Rule {
        name: "docker-compose run",
        values: "evupw",
        longs: &["env", "volume", "user", "name", "workdir", "entrypoint"],
        operands: 1,
        ..PLAIN
    },
    Rule { name: "docker run", values: "evpwuhlmca", longs: RUN_OPTIONS, operands: 1, ..PLAIN },
    Rule { name: "podman run", values: "evpwuhlmca", longs: RUN_OPTIONS, operands: 1, ..PLAIN },
    Rule {
        name: "kubectl exec",
        values: "cnf",
        longs: &["container", "namespace", "context", "filename", "pod-running-timeout"],
        operands: 1,
        ..PLAIN
    },
    Rule {
        name: "oc exec",
        values: "cnf",
        longs: &["container", "namespace", "context", "filename", "pod-running-timeout"],
        operands: 1,
        ..PLAIN
    },
    Rule { name: "kubectl run", dashes: true, ..PLAIN },
    Rule { name: "kubectl debug", dashes: true, ..PLAIN },
    Rule { name: "lxc exec", dashes: true, ..PLAIN },
    Rule { name: "heroku run", values: "a", longs: &["app"], ..PLAIN },
    Rule { name: "uv run", longs: &["with", "python", "extra", "group", "project", "directory"], ..PLAIN },
    Rule { name: "poetry run", ..PLAIN },
    Rule { name: "pipenv run", ..PLAIN },
    Rule { name: "bundle exec", ..PLAIN },
    Rule { name: "direnv exec", operands: 1, ..PLAIN },
    Rule { name: "mise exec", dashes: true, ..PLAIN },
    Rule { name: "dotenv", values: "fe", ..PLAIN },
    Rule { name: "op run", dashes: true, ..PLAIN },
    Rule { name: "conda run", values: "np", longs: &["name", "prefix", "cwd"], ..PLAIN },
    Rule { name: "xvfb-run", values: "enfsp", longs: &["server-num", "server-args", "auth-file"], ..PLAIN },
    Rule { name: "git bisect run", ..PLAIN },
    Rule { name: "git submodule foreach", ..PLAIN },
    Rule { name: "entr", ..PLAIN },
    Rule { name: "call", ..PLAIN },
    Rule { name: "eval", ..PLAIN },
    Rule { name: "aws-vault exec", operands: 1, ..PLAIN },
    Rule { name: "gds-cli aws", operands: 1, ..PLAIN },
    Rule { name: "kubie exec", operands: 2, ..PLAIN },
    Rule { name: "chamber exec", dashes: true, ..PLAIN },
    Rule { name: "doppler run", dashes: true, ..PLAIN },
    Rule { name: "infisical run", dashes: true, ..PLAIN },
    Rule { name: "dotenvx run", dashes: true, ..PLAIN },
    Rule { name: "mise x", dashes: true, ..PLAIN },
];
