//! A client that keeps one `workspace/diagnostic` request open and shows what its parts tell it.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, error_of};
use crate::workspace::{folders, uri};

const TOKEN: &str = "parts";

/// By the file's name below the folder: version and codes.
pub(crate) type Shown = BTreeMap<String, (Option<i64>, Vec<String>)>;

pub(crate) struct Held {
    pub(crate) client: Client,
    pub(crate) folder: TempDir,
    pub(crate) shown: Shown,
    pub(crate) ids: BTreeMap<String, String>,
    /// How many reports came of any file.
    pub(crate) reports: usize,
}

pub(crate) fn pulling() -> Value {
    json!({"textDocument": {"diagnostic": {}}})
}

impl Held {
    /// A session on a folder of these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Held {
        Held::with(files, json!({}))
    }

    pub(crate) fn with(files: &[(&str, &str)], options: Value) -> Held {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut client = Client::start(&[]);
        let said = client.initialize(json!({"capabilities": pulling(), "initializationOptions": options,
            "workspaceFolders": folders(&[&folder])}));
        assert_eq!(said["diagnosticProvider"]["workspaceDiagnostics"], true);
        Held { client, folder, shown: Shown::new(), ids: BTreeMap::new(), reports: 0 }
    }

    pub(crate) fn uri(&self, name: &str) -> String {
        uri(&self.folder.path().join(name))
    }

    /// Asks, in parts, knowing what is known.
    pub(crate) fn ask(&mut self) -> Value {
        let known = self.known();
        self.client
            .request("workspace/diagnostic", json!({"partialResultToken": TOKEN, "previousResultIds": known}))
    }

    pub(crate) fn known(&self) -> Value {
        let known = self.ids.iter().map(|(name, id)| json!({"uri": self.uri(name), "value": id}));
        known.collect()
    }

    /// Takes the items of a report as a client does.
    pub(crate) fn take(&mut self, items: &Value) {
        let root = format!("{}/", uri(self.folder.path()));
        for item in items.as_array().unwrap() {
            self.reports += 1;
            let uri = item["uri"].as_str().unwrap();
            let name = uri.strip_prefix(&root).unwrap_or(uri).to_owned();
            match item["resultId"].as_str() {
                Some(id) => drop(self.ids.insert(name.clone(), id.to_owned())),
                None => drop(self.ids.remove(&name)),
            }
            if item["kind"] == "full" {
                let codes = item["items"].as_array().unwrap().iter().map(|one| {
                    let start = &one["range"]["start"];
                    format!("{} {}:{}", one["code"].as_str().unwrap(), start["line"], start["character"])
                });
                let codes = codes.collect();
                match item.get("resultId") {
                    Some(_) => drop(self.shown.insert(name, (item["version"].as_i64(), codes))),
                    None => assert!(codes.is_empty() && self.shown.remove(&name).is_some(), "{item}"),
                }
            } else {
                assert_eq!(
                    (&item["kind"], self.shown.contains_key(&name)),
                    (&json!("unchanged"), true),
                    "{item}"
                );
            }
        }
    }

    /// Takes parts until what is shown is `expected`: lines of a name, a version if it has one, and codes.
    #[track_caller]
    pub(crate) fn until(&mut self, expected: &[&str]) {
        loop {
            let told: Vec<String> = self.told();
            if told == expected {
                return;
            }
            assert!(self.reports < 1_000, "{told:#?}, and not yet {expected:#?}");
            let part = self.client.call("$/progress");
            assert_eq!(part["params"]["token"], TOKEN);
            self.take(&part["params"]["value"]["items"].clone());
        }
    }

    pub(crate) fn told(&self) -> Vec<String> {
        let line = |(name, (version, codes)): (&String, &(Option<i64>, Vec<String>))| {
            let version = version.map(|version| format!(" v{version}")).unwrap_or_default();
            format!("{name}{version}: {}", codes.join(", "))
        };
        self.shown.iter().map(line).collect()
    }

    pub(crate) fn write(&mut self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        let kind = if path.exists() { 2 } else { 1 };
        fs::write(path, text).unwrap();
        self.watched(name, kind);
    }

    pub(crate) fn watched(&mut self, name: &str, kind: u32) {
        let changes = json!([{"uri": self.uri(name), "type": kind}]);
        self.client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    }

    /// The end, with the request still held.
    pub(crate) fn end(mut self, held: &Value) {
        let shutdown = self.client.request("shutdown", Value::Null);
        assert_eq!(error_of(&self.client.reply(held)).0, -32802);
        self.client.reply(&shutdown);
        self.client.notify("exit", Value::Null);
        assert_eq!(self.client.status(), 0);
    }
}
