//! The settings that an editor sends: the section `caveat`, by `initializationOptions` or `workspace/configuration`.

use caveat_workspace::globs::Globs;
use serde_json::Value;

/// How many diagnostics of one document are shown where nothing else is set.
const CAP: usize = 1_000;

/// What the editor set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// `caveat.showExempt`: exempt findings are shown as hints.
    pub(crate) show_exempt: bool,
    /// `caveat.inlayHints`: labels and suppressions say how much they answer for.
    pub(crate) inlay_hints: bool,
    /// `caveat.maxDiagnostics`: how many of a document are shown.
    pub(crate) max_diagnostics: usize,
    /// `caveat.workspaceDiagnostics`: a client that asks for the whole workspace is answered with it.
    pub(crate) workspace_diagnostics: bool,
    /// `caveat.untrusted`: globs, counted from the workspace folder, of files that nobody vouches for.
    pub(crate) untrusted: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            show_exempt: false,
            inlay_hints: false,
            max_diagnostics: CAP,
            workspace_diagnostics: true,
            untrusted: Vec::new(),
        }
    }
}

impl Settings {
    /// Takes what `section` sets; what it does not set, or sets to `null`, goes back to its default. Gives a sentence
    /// for each setting that is not of its kind, which then has its default as well.
    pub(crate) fn take(&mut self, section: &Value) -> Vec<&'static str> {
        let default = Settings::default();
        let mut faults = Vec::new();
        let set = |name: &str| section.get(name).filter(|value| !value.is_null());
        let mut switch = |name: &str, default: bool, fault: &'static str| {
            set(name).map_or(default, |value| {
                value.as_bool().unwrap_or_else(|| {
                    faults.push(fault);
                    default
                })
            })
        };
        self.show_exempt = switch("showExempt", default.show_exempt, "caveat.showExempt is true or false.");
        self.inlay_hints = switch("inlayHints", default.inlay_hints, "caveat.inlayHints is true or false.");
        self.workspace_diagnostics = switch(
            "workspaceDiagnostics",
            default.workspace_diagnostics,
            "caveat.workspaceDiagnostics is true or false.",
        );
        self.max_diagnostics = set("maxDiagnostics").map_or(default.max_diagnostics, |value| {
            let number =
                value.as_u64().and_then(|number| usize::try_from(number).ok()).filter(|number| *number > 0);
            number.unwrap_or_else(|| {
                faults.push("caveat.maxDiagnostics is a whole number from 1.");
                default.max_diagnostics
            })
        });
        self.untrusted = set("untrusted").map_or(default.untrusted, |value| {
            globs(value).unwrap_or_else(|| {
                // What was meant to be distrusted is not trusted by mistake.
                faults.push("caveat.untrusted is a list of globs. Until it is one, no file is trusted.");
                vec!["**".to_owned()]
            })
        });
        faults
    }
}

/// The globs of `value`, if it is a list of nothing else.
fn globs(value: &Value) -> Option<Vec<String>> {
    let globs: Option<Vec<String>> =
        value.as_array()?.iter().map(|glob| glob.as_str().map(str::to_owned)).collect();
    globs.filter(|globs| Globs::new(globs.iter().map(String::as_str)).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_set_has_its_default() {
        let check =
            |section: Value, show_exempt: bool, max_diagnostics: usize, untrusted: &[&str], faults: usize| {
                let old = vec!["old/".to_owned()];
                let inlay_hints = show_exempt;
                let mut settings = Settings {
                    show_exempt: true,
                    inlay_hints,
                    max_diagnostics: 7,
                    workspace_diagnostics: show_exempt,
                    untrusted: old,
                };
                assert_eq!(settings.take(&section).len(), faults, "{section}");
                let untrusted = untrusted.iter().map(|&glob| glob.to_owned()).collect();
                let workspace_diagnostics = section["workspaceDiagnostics"] != false;
                assert_eq!(
                    settings,
                    Settings { show_exempt, inlay_hints, max_diagnostics, workspace_diagnostics, untrusted },
                    "{section}"
                );
            };
        check(json!({}), false, 1_000, &[], 0);
        check(json!(null), false, 1_000, &[], 0);
        check(json!({"showExempt": true, "inlayHints": true, "maxDiagnostics": 3}), true, 3, &[], 0);
        check(json!({"showExempt": null}), false, 1_000, &[], 0);
        check(json!({"showExempt": "yes", "inlayHints": 1, "maxDiagnostics": 0}), false, 1_000, &[], 3);
        check(json!({"workspaceDiagnostics": false}), false, 1_000, &[], 0);
        check(json!({"workspaceDiagnostics": "off"}), false, 1_000, &[], 1);
        check(json!({"maxDiagnostics": -1}), false, 1_000, &[], 1);
        check(json!({"untrusted": ["vendor/", "*.mdc"]}), false, 1_000, &["vendor/", "*.mdc"], 0);
    }

    #[test]
    fn what_cannot_be_read_as_distrust_is_distrust_of_everything() {
        for untrusted in [json!(true), json!("vendor/"), json!(["vendor/", 1]), json!(["[a"])] {
            let mut settings = Settings::default();
            assert_eq!(settings.take(&json!({"untrusted": untrusted})).len(), 1, "{untrusted}");
            assert_eq!(settings.untrusted, ["**"], "{untrusted}");
        }
    }
}
