//! The table of the rules' files, in the order in which CONTRACTS lists the rules. Compiled in: there is nothing to
//! find, and nothing to lose, at run time.

macro_rules! rules {
    ($($id:literal)*) => {
        /// Each rule's id and the text of its file.
        pub(super) const FILES: &[(&str, &str)] =
            &[$(($id, include_str!(concat!("rules/", $id, ".toml")))),*];
    };
}

rules! {
    "rm-rf"
    "find-delete"
    "git-clean-force"
    "git-reset-hard"
    "git-push-force"
    "git-push-lease"
    "git-discard"
    "git-history-rewrite"
    "git-skip-hooks"
    "docker-system-prune"
    "docker-remove"
    "chmod-777"
    "chown-recursive"
    "curl-pipe-shell"
    "wget-pipe-shell"
    "decode-pipe-shell"
    "powershell-download-exec"
    "kubectl-delete-namespace"
    "kubectl-delete-all"
    "kubectl-delete"
    "helm-uninstall"
    "terraform-destroy"
    "iac-auto-approve"
    "cloud-delete"
    "dd-device"
    "mkfs"
    "sql-drop"
    "sql-delete-all"
    "kv-flush"
    "fork-bomb"
    "power-off"
    "service-stop"
    "firewall-flush"
    "process-kill-all"
    "package-publish"
    "system-write"
    "remove-item-recurse"
    "execution-policy"
    "skip-approval"
    "sudo"
    "broad-environment-upload"
    "project-command"
    "instruction-override"
    "scan-skipped"
    "openai-key"
    "github-token"
    "aws-access-key"
    "private-key"
    "instruction-file-removed"
    "directive-polarity-flip"
    "unclosed-fence"
    "suppression-invalid"
    "suppression-expired"
    "suppression-unused"
    "config-invalid"
}
