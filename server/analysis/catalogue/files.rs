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
    "git-clean-force"
    "git-push-force"
    "chmod-777"
    "curl-pipe-shell"
    "wget-pipe-shell"
    "scan-skipped"
    "openai-key"
    "github-token"
    "aws-access-key"
    "private-key"
    "unclosed-fence"
    "suppression-invalid"
    "suppression-expired"
    "suppression-unused"
    "config-invalid"
}
