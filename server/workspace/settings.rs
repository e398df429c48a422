//! What one configuration says of the files at and below its folder: by what they are read, who is addressed in them, which
//! are left out, and what of them is accepted. It knows the configurations above it and may only tighten them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use caveat_analysis::document::Rules;
use caveat_analysis::verdict::{Accepted, Env, Policy, Role};
use jiff::civil::Date;
use toml::Spanned;

use crate::config::{self, Config};
use crate::globs::Globs;
use crate::kind;
use crate::roles::{self, DeclaredRoles};

/// A configuration made ready: its globs compiled, its labels where the analysis reads them. The default is what holds
/// where there is no `caveat.toml`.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The folder that the globs belong to; `None` without a configuration.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) config: Config,
    /// The configuration that would hold here if this one did not.
    above: Option<Arc<Settings>>,
    /// Files that nobody here vouches for.
    distrusted: Globs,
    /// What every document here is read by, whoever is addressed in it.
    rules: Rules,
    roles: DeclaredRoles,
    include: Globs,
    exclude: Globs,
    policy: Arc<Policy>,
    /// The suppressions, and which files each is about.
    accepted: Vec<(Option<Globs>, Accepted)>,
    /// Whether what the files say of themselves does not count: no suppressions in them, no cues for *shown*.
    untrusted: bool,
    /// The same for files that it does not trust.
    twin: OnceLock<Arc<Settings>>,
}

impl Settings {
    /// Makes `config`, which stands in `folder`, ready.
    #[must_use]
    pub fn new(config: Config, folder: &Path) -> Settings {
        let globs = |list: &[Spanned<String>]| {
            Globs::new(list.iter().map(|g| g.get_ref().as_str())).unwrap_or_default()
        };
        let labels = config.labels.iter().map(|label| label.get_ref().trim().to_owned()).collect();
        Settings {
            folder: Some(folder.to_path_buf()),
            rules: Rules { labels, own: config.own.clone(), ..Rules::default() },
            above: None,
            distrusted: globs(&config.untrusted),
            roles: DeclaredRoles::new(&config.roles),
            include: globs(&config.include),
            exclude: globs(&config.exclude),
            policy: Arc::new(config.policy.clone()),
            accepted: config.accepted.iter().map(accepted).collect(),
            untrusted: false,
            twin: OnceLock::new(),
            config,
        }
    }

    /// These, below the configuration `above`.
    pub(crate) fn under(self, above: Option<Arc<Settings>>) -> Settings {
        Settings { above, ..self }
    }

    /// These for files that nobody vouches for: what they say of themselves does not count.
    pub(crate) fn distrustful(self) -> Settings {
        Settings { untrusted: true, twin: OnceLock::new(), ..self }
    }

    /// The configuration as it was read; the default one where there is none.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Whether what the files say of themselves does not count.
    #[must_use]
    pub fn is_untrusted(&self) -> bool {
        self.untrusted
    }

    /// What the analysis reads the document at `path` by (`None` where it has none), whose role is `role`: the one place
    /// where it is made.
    #[must_use]
    pub fn rules(&self, role: Role, path: Option<&Path>) -> Arc<Rules> {
        let plan = path.is_some_and(kind::is_build_plan);
        Arc::new(Rules { notices: role.notices(plan), ..self.rules.clone() })
    }

    /// The environment of the document at `path` (absolute; `None` where it has none) whose role is `role`, on the day
    /// `today` in UTC: the one place where it is made.
    #[must_use]
    pub fn env(&self, role: Role, path: Option<&Path>, today: Date) -> Env {
        let below = path.and_then(|path| self.below(path));
        let about = |paths: &Option<Globs>| match paths {
            Some(globs) => below.is_some_and(|path| globs.matches(path)),
            None => true,
        };
        let accepted =
            self.accepted.iter().filter(|(paths, _)| about(paths)).map(|(_, accepted)| accepted.clone());
        let (policy, accepted) = (Arc::clone(&self.policy), accepted.collect());
        let trusted = !self.untrusted;
        Env { role, stance: trusted && !policy.no_stance, suppressions: trusted, today, policy, accepted }
    }

    /// The largest file that is read, in bytes.
    #[must_use]
    pub fn max_file_bytes(&self) -> u64 {
        self.config.max_file_bytes()
    }

    /// Whether a folder scan also reads `path` (absolute), though its name and role do not ask for it: this configuration
    /// says so, or one above it.
    #[must_use]
    pub fn includes(&self, path: &Path) -> bool {
        self.below(path).is_some_and(|path| self.include.matches(path))
            || self.above.as_ref().is_some_and(|above| above.includes(path))
    }

    /// Whether the configuration, taken alone, has a folder scan leave `path` (absolute) out.
    fn excludes(&self, path: &Path) -> bool {
        self.below(path).is_some_and(|path| self.exclude.matches(path))
    }

    /// Who is addressed in `path` (absolute), whose name alone says `built_in`. Whoever may write a folder may write its
    /// configuration: below another one it may ask more of a file than is asked without it, and never less.
    pub(crate) fn addressed(&self, path: &Path, built_in: Option<Role>) -> Option<Role> {
        let declared = self.below(path).and_then(|path| self.roles.of(path));
        let own = match (declared, built_in) {
            (Some(declared), Some(built_in)) if self.untrusted => Some(roles::graver(declared, built_in)),
            (declared, built_in) => declared.or(built_in),
        };
        let above = self.above.as_ref().and_then(|above| above.addressed(path, built_in));
        own.into_iter().chain(above).reduce(roles::graver)
    }

    /// Whether a folder scan leaves `path` (absolute) out, whose name alone says `built_in`. Below another configuration none
    /// leaves out what is read by somebody as far as that one knows.
    pub(crate) fn leaves_out(&self, path: &Path, built_in: Option<Role>) -> bool {
        self.excludes(path)
            && self.above.as_ref().is_none_or(|above| {
                above.leaves_out(path, built_in)
                    || (above.addressed(path, built_in).is_none() && !above.includes(path))
            })
    }

    /// Whether it stands below another configuration.
    #[must_use]
    pub fn is_nested(&self) -> bool {
        self.above.is_some()
    }

    /// The path (absolute) counted from the configuration's folder.
    pub(crate) fn below<'a>(&self, path: &'a Path) -> Option<&'a Path> {
        path.strip_prefix(self.folder.as_ref()?).ok()
    }
}

/// The outermost of `settings` and those above it that distrusts `path` (absolute).
pub(crate) fn distrusting<'a>(settings: &'a Arc<Settings>, path: &Path) -> Option<&'a Arc<Settings>> {
    let above = settings.above.as_ref().and_then(|above| distrusting(above, path));
    above.or_else(|| {
        let distrusts = settings.below(path).is_some_and(|below| settings.distrusted.matches(below));
        distrusts.then_some(settings)
    })
}

/// One suppression with its globs compiled.
fn accepted(suppression: &config::Suppression) -> (Option<Globs>, Accepted) {
    let globs = |list: &Vec<String>| Globs::new(list.iter().map(String::as_str)).unwrap_or_default();
    (suppression.paths.as_ref().map(globs), suppression.accepts.clone())
}

/// `settings`, which hold in the folder of `path` (absolute), as they hold for that file.
pub(crate) fn for_file(settings: Arc<Settings>, path: &Path) -> Arc<Settings> {
    match distrusting(&settings, path) {
        Some(by) if !by.untrusted => {
            Arc::clone(by.twin.get_or_init(|| Arc::new(Settings::clone(by).distrustful())))
        }
        _ => settings,
    }
}
