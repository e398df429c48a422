"""Runs the steps of action.yml as the runner of GitHub Actions does: inputs into the environment, a script under
`bash --noprofile --norc -eo pipefail`, outputs from a file.

usage: action.py ROOT CAVEAT PROJECT     PROJECT: a git work tree with one calm commit
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import ruamel.yaml

root, caveat, project = map(pathlib.Path, sys.argv[1:])
action = ruamel.yaml.YAML(typ="safe").load((root / "action.yml").read_text())
SAMPLE = subprocess.run([sys.executable, root / "tests/hosts/sample.py"], capture_output=True, check=True).stdout
failed = False


def step(name):
    return next(step for step in action["runs"]["steps"] if step["id"] == name)


def run(**inputs):
    """Runs the step `check`; gives its status, its outputs and what it printed."""
    given = {name: spec.get("default", "") for name, spec in action["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}
    known = {f"inputs.{name}": value for name, value in given.items()} | {"github.action_path": str(root)}
    env = {
        name: re.sub(r"\$\{\{ (\S+) \}\}", lambda match: known[match[1]], value)
        for name, value in step("check")["env"].items()
    }
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, "output")
        output.touch()
        script = pathlib.Path(folder, "script.sh")
        script.write_text(step("check")["run"])
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=project, env=os.environ | env | {"GITHUB_OUTPUT": str(output)}, capture_output=True, text=True,
        )
        outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
    return ran.returncode, outputs, ran.stdout + ran.stderr


def expect(name, holds, told=""):
    global failed
    print(f"{'ok' if holds else 'FAILED'}: {name}{'' if holds else f' {told}'}")
    failed |= not holds


def write(name, content):
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


# Inputs come as words: no script names one.
for one in action["runs"]["steps"]:
    expect(f"no expression in the script of {one['id']}", "${{" not in one["run"])

binary = str(caveat)
status, outputs, told = run(binary=binary)
expect("calm is 0", (status, outputs) == (0, {"status": "0", "sarif": "caveat.sarif", "complete": "true"}), told)
write("docs/AGENTS.md", SAMPLE)
status, outputs, told = run(binary=binary)
expect("a finding is 1", status == 1 and outputs["status"] == "1" and outputs["complete"] == "true", told)
expect("it is an annotation", "::error file=docs/AGENTS.md,line=4," in told, told)
log = json.loads((project / "caveat.sarif").read_text())
expect("it is a result", [one["ruleId"] for one in log["runs"][0]["results"]] == ["rm-rf"])
status, outputs, told = run(binary=binary, fail_on="never", sarif="x.sarif")
expect("nothing fails where nothing shall", status == 0 and outputs["sarif"] == "x.sarif", told)
status, outputs, told = run(binary=binary, paths="AGENTS.md\n")
expect("only what is named is checked", status == 0, told)
status, outputs, told = run(binary=binary, baseline="HEAD")
expect("what is new counts", status == 1, told)
subprocess.run(["git", "add", "-A"], cwd=project, check=True)
subprocess.run(["git", "commit", "-q", "-m", "more"], cwd=project, check=True)
status, outputs, told = run(binary=binary, baseline="HEAD")
expect("what was there does not", status == 0, told)
status, outputs, told = run(binary=binary, baseline="gone")
expect("no such commit is 2, and no output", status == 2 and outputs == {}, told)
write("AGENTS.md", b"\0")
status, outputs, told = run(binary=binary, fail_on="never")
expect("a part is 3 and not complete", status == 3 and outputs["complete"] == "false", told)
for name, value in [("fail_on", "error; touch sprung"), ("baseline", "$(touch sprung)"), ("paths", "`touch sprung`"), ("sarif", "a b;touch sprung")]:
    run(binary=binary, **{name: value})
expect("an input is no command", not (project / "sprung").exists())
sys.exit(failed)
