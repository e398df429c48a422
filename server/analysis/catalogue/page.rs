//! A rule's page: what hover and `explain` show.

use std::fmt::Write as _;

use super::{Group, Look, Rule, Severity};

impl Rule {
    /// The rule's page in Markdown: what it finds, how grave that is, why, what to do, where it looks and in which
    /// forms. `examples` adds those of danger rules; a secret's are never shown, nor those of text that turns on its
    /// reader.
    #[must_use]
    pub fn page(&self, examples: bool) -> String {
        self.page_with(examples, None)
    }

    /// The page for a finding of the entry `pattern`: of the forms only that one, which is what was found.
    #[must_use]
    pub fn page_of(&self, pattern: &str) -> String {
        self.page_with(false, Some(pattern))
    }

    fn page_with(&self, examples: bool, only: Option<&str>) -> String {
        let mut page = format!(
            "# {}\n\n{}: {}.\n\n{} {}\n",
            self.id,
            self.severity.name(),
            self.summary.trim_end_matches('.'),
            self.why.trim(),
            self.remedy.trim(),
        );
        let roles = self.roles();
        let _ = writeln!(page, "\nGroup: {}.", self.group.name());
        for (role, look) in [
            ("instructions", roles.instructions),
            ("runbooks", roles.runbook),
            ("reference", roles.reference),
        ] {
            let look = match look {
                Look::Yes => "reported",
                Look::Info => "reported as information",
                Look::No => "not looked for",
            };
            let _ = writeln!(page, "- In {role}: {look}.");
        }
        if self.off {
            page.push_str("\nOff until the configuration turns it on.\n");
        }
        let commands = self.commands.iter().map(|entry| {
            let graded = entry.severity_when.iter().map(|grade| grade.severity);
            (&entry.id, &entry.about, self.severities(entry.severity, graded), entry.hits.as_slice())
        });
        let patterns = self.patterns.iter().map(|entry| {
            (&entry.id, &entry.about, self.severities(entry.severity, std::iter::empty()), [].as_slice())
        });
        let phrases = self.phrases.iter().map(|entry| {
            (&entry.id, &entry.about, self.severities(entry.severity, std::iter::empty()), [].as_slice())
        });
        let forms = self
            .forms
            .iter()
            .map(|form| (&form.id, &form.about, self.severities(None, std::iter::empty()), [].as_slice()));
        let forms = commands.chain(phrases).chain(patterns).chain(forms);
        let mut forms = forms.filter(|(id, ..)| only.is_none_or(|only| only == *id)).peekable();
        if forms.peek().is_some() {
            page.push_str(if only.is_some() { "\n## Form\n\n" } else { "\n## Forms\n\n" });
        }
        for (id, about, severities, hits) in forms {
            let own = self.roles_of(id);
            let elsewhere = if own.instructions == Look::No && roles.instructions != Look::No {
                " Not looked for in instructions."
            } else {
                ""
            };
            let about = about.trim();
            let _ = match elsewhere {
                "" => writeln!(page, "- `{id}` ({severities}): {about}"),
                note => writeln!(page, "- `{id}` ({severities}): {about}.{note}"),
            };
            if examples && self.group == Group::Danger {
                for hit in hits {
                    let _ = writeln!(page, "  - `{}`", hit.text.replace('\n', " ⏎ "));
                }
            }
        }
        page
    }

    /// The examples of text that turns on its reader, one a line: for a terminal and nothing else, where no agent reads
    /// along. Empty for other rules; those of danger rules stand on the page, a secret's are never shown.
    #[must_use]
    pub fn hostile_examples(&self) -> String {
        let mut out = String::new();
        if self.group == Group::Injection {
            let phrases = self.phrases.iter().map(|entry| (&entry.id, &entry.hits));
            let patterns = self.patterns.iter().map(|entry| (&entry.id, &entry.hits));
            for (id, hits) in phrases.chain(patterns) {
                for hit in hits {
                    let _ = writeln!(out, "- {id}: {}", hit.text.replace('\n', " ⏎ "));
                }
            }
        }
        out
    }

    /// The severities that an entry's findings may have.
    fn severities(&self, own: Option<Severity>, graded: impl Iterator<Item = Severity>) -> String {
        let plain = own.unwrap_or(self.severity);
        let mut all: Vec<Severity> = graded.chain([plain]).collect();
        all.sort_unstable();
        all.dedup();
        match all.as_slice() {
            [.., _, _] => "error, or warning where less is lost".to_owned(),
            _ => plain.name().to_owned(),
        }
    }
}
