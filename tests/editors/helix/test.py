"""What a person sees in Helix: the scenario of every editor, by keys in a terminal. Run by tests/editors/helix/run.

Prints one line a check, then `N passed, N failed`.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT, WORK, HELIX = (os.environ[f"CAVEAT_{name}"] for name in ("ROOT", "WORK", "HELIX"))
PICTURES = os.environ.get("CAVEAT_PICTURES")
DEMO = Path(WORK, "demo")
SELECTED = Path(WORK, "selected")
# A cap against hanging, not a measure.
LONG = 20

passed = failed = 0


def check(name, act):
    global passed, failed
    try:
        act()
        passed += 1
        print(f"ok      {name}", flush=True)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is a failed check
        failed += 1
        screen = "\n        ".join(capture().splitlines())
        print(f"FAILED  {name}\n        {error}\n        {screen}", flush=True)


def tmux(*arguments):
    done = subprocess.run(["tmux", "-L", f"caveat-{os.getpid()}", *arguments], capture_output=True, text=True)
    return done.stdout


def capture(colours=False):
    return tmux("capture-pane", "-p", *(["-e"] if colours else []), "-t", "main")


def keys(*names):
    for name in names:
        tmux("send-keys", "-t", "main", name)
        # An escape with a key right behind it is that key with Alt.
        time.sleep(0.1 if name == "Escape" else 0)


def add_line(after, text):
    """Opens a line and pastes `text` there as a terminal does. Typed key by key, faster than the machine has time for, this
    Helix sends edits in the wrong order; the server says so, and the next save heals it (tests/stdio)."""
    command(f"goto {after}")
    keys("o")
    eventually(lambda: re.search(r"^ INS ", capture(), re.MULTILINE), "insert mode")
    time.sleep(0.5)
    tmux("set-buffer", text)
    tmux("paste-buffer", "-p", "-t", "main")
    eventually(lambda: text in capture(), "the line")
    keys("Escape")


def paste(text):
    tmux("send-keys", "-t", "main", "-l", text)


def eventually(probe, what, seconds=LONG):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = probe()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"never: {what() if callable(what) else what}")


def words():
    """The screen's words, whatever lines they are wrapped on."""
    return " ".join(re.sub(r"[│┃┌┐└┘─╭╮╰╯]", " ", capture()).split())


def column(line, units):
    """How many graphemes precede the UTF-16 unit `units` of `line`, which has no combining characters."""
    return len(line.encode("utf-16-le")[: 2 * units].decode("utf-16-le"))


def command(text):
    keys("Escape", ":")
    paste(text)
    keys("Enter")


def selection():
    """The primary selection's text."""
    SELECTED.unlink(missing_ok=True)
    command(f"pipe-to cat > {SELECTED}.part; mv {SELECTED}.part {SELECTED}")
    eventually(SELECTED.exists, "the selection is written")
    return SELECTED.read_text()


def place():
    """Where the cursor stands: line and column from 1, as the status line says."""
    status = re.compile(r"^ (?:NOR|SEL|INS) .* (\d+):(\d+)\s*$", re.MULTILINE)
    return eventually(lambda: status.search(capture()), "a status line").groups()


def lines():
    """The text of the buffer, by way of the whole of it selected."""
    keys("Escape", "%")
    return selection().split("\n")


def underlined(count):
    """The first `count` findings by `]d`, and what one more leads to: the line, the column and the selected words."""
    found = []
    keys("Escape", "g", "g")
    for _ in range(count + 1):
        keys("]", "d")
        text = selection()
        # The cursor stands on the selection's last character.
        line, last = place()
        found.append([int(line), int(last) - len(text), text])
    return found


def diagnostics(wanted):
    # All are there once the picker lists so many. It lists what was there when it was opened, and no more later: a
    # server that is slow to answer needs it opened anew.
    def rows():
        # A narrow column cuts long codes: the message follows.
        return len([row for row in capture().splitlines() if re.search(r"\b(ERROR|WARN|INFO|HINT)", row)])

    def listed():
        keys("Escape", "Escape", "Space", "d")
        try:
            eventually(lambda: rows() == len(wanted), lambda: "", seconds=2)
        except AssertionError:
            return False
        return True

    eventually(listed, lambda: f"{len(wanted)} findings in the picker")
    picker = capture()
    for rule, severity, *_ in wanted:
        kind = {"error": "ERROR", "warning": "WARN", "info": "INFO"}[severity]
        assert re.search(rf"{kind}\w*\s+{rule[:8]}", picker), f"no {kind} {rule} in the picker"
    keys("Escape", "Escape")
    text = lines()
    expected = [[line, column(text[line - 1], units), words] for _, _, line, units, words in wanted]
    found = underlined(len(wanted))
    # Past the last one it begins anew: there are no more.
    expected.append(expected[0])
    assert found == expected, f"\n        wanted {expected}\n        found  {found}"


def go(line, units):
    text = lines()[line - 1]
    command(f"goto {line}")
    keys("g", "h")
    for _ in range(column(text, units)):
        keys("Right")


def fix(line, units, action):
    go(line, units)
    keys("Space", "a")
    eventually(lambda: action in capture(), f"the action {action!r}")
    # The menu's first entry is chosen already. Each stands on a row of its own, a space before it, and all of them begin
    # at one column; the rows above and below hold the document.
    rows = capture().splitlines()
    row = next(index for index, text in enumerate(rows) if action in text)
    at = rows[row].index(action)
    entry = re.compile(r"^ [A-Z][a-z]+ [a-z-]+ ?")
    first = row
    while entry.match(rows[first - 1][at - 1 :]):
        first -= 1
    menu = range(first, row)
    keys(*["Down"] * len(menu), "Enter")


def hover(line, units, says):
    go(line, units)
    keys("Space", "k")
    for part in says:
        eventually(lambda: part in words(), f"a hover that says {part!r}")
    picture("hover")
    keys("Escape")


def on_disk(file, line):
    """The file's line. While Helix saves, the file has another name for a moment, or is not whole."""
    try:
        return (Path(DEMO, file).read_text().split("\n") + [""] * 99)[line - 1]
    except (OSError, UnicodeDecodeError):
        return ""


def picture(name):
    if PICTURES:
        Path(PICTURES, f"helix-{name}.ansi").write_text(capture(colours=True))


def run():
    tmux("-f", "/dev/null", "new-session", "-d", "-s", "main", "-x", "150", "-y", "45", "-c", str(DEMO),
         f"env XDG_CONFIG_HOME={WORK}/config XDG_CACHE_HOME={WORK}/cache HOME={WORK} TERM=xterm-256color COLORTERM=truecolor "
         f"LC_ALL=C.UTF-8 {HELIX} -v --log {WORK}/helix.log .; sleep 1")
    file = None
    for step in json.loads(Path(ROOT, "tests/editors/scenario.json").read_text())["steps"]:
        kind = step["step"]
        name = f"scenario: {kind}" + (f": {step['why']}" if "why" in step else "")
        if kind == "open":
            file = step["file"]

            def opened():
                eventually(lambda: capture().strip(), "a screen")
                time.sleep(0.5)
                command(f"open {file}")
                eventually(lambda: "# Runbook" in capture(), "the document")

            check(name, opened)
        elif kind == "diagnostics":
            check(name, lambda: diagnostics(step["are"]))
        elif kind == "hover":
            check(name, lambda: hover(step["line"], step["column"], step["says"]))
        elif kind == "delete-line":
            command(f"goto {step['line']}")
            keys("x", "d")
        elif kind == "add-line":
            add_line(step["after"], step["text"])
        elif kind == "save":
            command("write")
        elif kind == "fix":
            check(name, lambda: fix(step["line"], step["column"], step["action"]))
        elif kind == "text":
            check(name, lambda: eventually(lambda: step["says"] in lines()[step["line"] - 1], lambda: lines()[step["line"] - 1]))
        elif kind == "on-disk":
            check(name, lambda: eventually(lambda: step["says"] in on_disk(file, step["line"]), lambda: on_disk(file, step["line"])))
        else:
            check(name, lambda: (_ for _ in ()).throw(AssertionError("a step that is not known here")))
    check("another server of the language is started beside caveat", lambda: eventually(Path(WORK, "marksman-started").exists, "it starts"))
    command("quit!")


try:
    run()
finally:
    tmux("kill-server")
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
