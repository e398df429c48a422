//! Folders that somebody else wrote: dependencies, submodules. Who checks a repository did not write their configurations.

use std::path::Path;

/// Folders into which a package manager, or a person, puts what others wrote.
const FOLDERS: [&str; 10] = [
    "node_modules",
    "vendor",
    "third_party",
    "third-party",
    "bower_components",
    "site-packages",
    ".venv",
    "venv",
    "Pods",
    "jspm_packages",
];

/// Whether `folder`, at or below `root` (both absolute), was brought in from elsewhere: by the name of a folder on the way
/// to it, or because a repository of its own begins there, as a submodule does.
/// A `root` that may hold `several` repositories is none itself.
pub(crate) fn is_vendored(folder: &Path, root: &Path, several: bool) -> bool {
    let Ok(below) = folder.strip_prefix(root) else { return false };
    let named = below.iter().any(|name| FOLDERS.iter().any(|known| name == *known));
    let mut between = folder.ancestors().take_while(|above| *above != root);
    named || !several && between.any(|above| above.join(".git").exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_on_the_way_tell() {
        let root = Path::new("/srv/node_modules/app");
        for (folder, vendored) in [
            ("/srv/node_modules/app", false),
            ("/srv/node_modules/app/docs", false),
            ("/srv/node_modules/app/node_modules/x", true),
            ("/srv/node_modules/app/vendor/x/docs", true),
            ("/srv/node_modules/app/vendors", false),
            ("/elsewhere/vendor", false),
        ] {
            assert_eq!(is_vendored(Path::new(folder), root, false), vendored, "{folder}");
        }
    }
}
