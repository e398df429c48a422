// What a person sees in VS Code: squiggles, Problems, hover, the life of the server, two roots, restricted mode.
// Prints one line a check, then `N passed, N failed`. Run by tests/editors/vscode/run.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { eventually, Session } from "./drive.mjs";

const { CAVEAT_ROOT: root, CAVEAT_WORK: work, CAVEAT_PICTURES: pictures } = process.env;
const only = process.env.CAVEAT_ONLY;
let passed = 0;
let failed = 0;

/** One check: `act` throws, or gives false, where it fails. */
async function check(name, act) {
  const before = Date.now();
  try {
    if ((await act()) === false) throw new Error("it is not so");
    passed += 1;
    console.log(`ok      ${name} (${Date.now() - before} ms)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n        ${String(error.stack ?? error).split("\n").slice(0, 6).join("\n        ")}`);
    await check.session?.page.screenshot({ path: `${pictures || work}/FAILED-${failed}.png` }).catch(() => undefined);
  }
}

/** Runs `act` in a session of its own, and ends it whatever comes. */
async function session(options, act) {
  if (only && options.name !== only) return;
  console.log(`-- ${options.name}`);
  let one;
  try {
    one = check.session = await Session.start({ vsix: `${work}/caveat.vsix`, ...options });
    await act(one);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  the session "${options.name}" runs to its end\n        ${error.stack}`);
    await one?.page.screenshot({ path: `${pictures || work}/FAILED-${failed}.png` }).catch(() => undefined);
  } finally {
    await one?.end();
  }
}

function workspace(name) {
  const folder = `${work}/workspaces/${name}`;
  mkdirSync(folder, { recursive: true });
  cpSync(`${root}/fixtures/demo`, `${folder}/demo`, { recursive: true });
  return folder;
}

/** The findings of one file, in the scenario's form. */
const shown = (vscode, file) =>
  (vscode.state()?.diagnostics ?? [])
    .filter((one) => one.file.endsWith(`/${file}`) && one.source === "caveat")
    .map((one) => [one.rule, one.severity, one.line, one.start, one.text]);

const are = (vscode, file, wanted) =>
  eventually(() => isDeepStrictEqual(shown(vscode, file), wanted), () => `\n        wanted ${JSON.stringify(wanted)}\n        found  ${JSON.stringify(shown(vscode, file))}`);

/** The scenario that every editor runs. */
async function scenario(vscode, demo) {
  const { steps } = JSON.parse(readFileSync(`${root}/tests/editors/scenario.json`, "utf8"));
  let file;
  for (const step of steps) {
    const act = {
      open: async () => {
        file = step.file;
        await vscode.open(file);
      },
      diagnostics: () => are(vscode, file, step.are),
      hover: async () => {
        await vscode.go(step.line, step.column);
        const said = await vscode.hover();
        await vscode.keys("Escape");
        for (const part of step.says) if (!said.includes(part)) throw new Error(`hover does not say "${part}": ${said}`);
        for (const part of step.never ?? []) if (said.includes(part)) throw new Error(`hover says "${part}": ${said}`);
      },
      "delete-line": async () => {
        await vscode.go(step.line);
        await vscode.keys("Control+Shift+k");
      },
      "add-line": async () => {
        await vscode.go(step.after);
        await vscode.keys("End", "Enter");
        await vscode.type(step.text);
      },
      save: async () => {
        await vscode.keys("Control+s");
        await eventually(() => vscode.state().active.dirty === false, "saved");
      },
      fix: async () => {
        await vscode.go(step.line, step.column);
        await vscode.fix(step.action);
      },
      text: () => eventually(() => vscode.state().active.text.split("\n")[step.line - 1].includes(step.says), () => vscode.state().active.text.split("\n")[step.line - 1]),
      "on-disk": () => {
        const line = () => {
          try {
            return readFileSync(`${demo}/${file}`, "utf8").split("\n")[step.line - 1] ?? "";
          } catch {
            // While an editor saves, the file may be gone for a moment.
            return "";
          }
        };
        return eventually(() => line().includes(step.says), line);
      },
    }[step.step];
    if (act === undefined) throw new Error(`the scenario has a step that is not known here: ${step.step}`);
    await check(`scenario: ${step.step}${step.why ? `: ${step.why}` : ""}`, act);
  }
}

const RULE = ["---", "description: How to clean up", "alwaysApply: true", "---", "", "Clean up with `rm -rf ~/scratch`.", "", "Retired with the old cluster:", "", "- rm -rf /srv/old", ""].join("\n");

const place = workspace("two-roots");
mkdirSync(`${place}/rules/.cursor/rules`, { recursive: true });
writeFileSync(`${place}/rules/.cursor/rules/cleaning.mdc`, RULE);
writeFileSync(`${place}/rules/caveat.toml`, 'labels = ["Retired with the old cluster:"]\n');
writeFileSync(`${place}/both.code-workspace`, JSON.stringify({ folders: [{ path: "demo" }, { path: "rules" }] }));

await session({ name: "two-roots", open: `${place}/both.code-workspace` }, async (vscode) => {
  const { page } = vscode;
  await scenario(vscode, `${place}/demo`);

  await check("squiggles stand under the words", async () => {
    await vscode.open("AGENTS.md");
    await page.waitForSelector(".monaco-editor .squiggly-error");
  });
  await check("Problems lists them with their places", async () => {
    await vscode.keys("Control+Shift+m");
    const rows = page.locator(".markers-panel .monaco-list-row");
    await eventually(async () => {
      const texts = (await rows.allInnerTexts()).join("\n").replaceAll("\u00a0", " ");
      return texts.includes("This removes a directory and everything below it, for good.") && texts.includes("rm-rf") && /Ln 16, Col 77/.test(texts);
    }, async () => (await rows.allInnerTexts()).join(" | "));
    await vscode.picture("problems");
    await vscode.keys("Control+Shift+m");
    await vscode.keys("Control+1");
  });
  await check("the status item counts", async () => {
    const item = page.locator('.statusbar-item[id*="caveat"]');
    const count = (severity) => vscode.state().diagnostics.filter((one) => one.source === "caveat" && one.severity === severity).length;
    await eventually(async () => (await item.getAttribute("aria-label"))?.includes(`${count("error")} errors, ${count("warning")} warning`), () => item.getAttribute("aria-label"));
  });
  await check("hover by mouse on an exempt block names its label", async () => {
    await vscode.go(34, 2);
    const line = page.locator('.view-line:has-text("/srv/lantern/queue")').first();
    const said = page.locator('.monaco-hover:visible:has-text("label on line 31")').first();
    // Once more where it does not come: a pointer that rests on a page being laid out rests on nothing.
    await eventually(async () => {
      const box = await line.boundingBox();
      await page.mouse.move(box.x + 300, box.y - 60);
      await page.mouse.move(box.x + 30, box.y + box.height / 2, { steps: 5 });
      return said.waitFor({ timeout: 5_000 }).then(() => true, () => false);
    }, "a hover under the pointer");
    await vscode.picture("hover");
    await page.mouse.move(640, 4);
    await vscode.keys("Escape");
  });
  await check("a line is explained in a page of its own, by keyboard", async () => {
    await vscode.go(44);
    await vscode.command("caveat: Explain This Line");
    const page = await eventually(() => vscode.state().documents.find((one) => one.scheme === "caveat"), "a page");
    for (const part of ["Line 44", "label on line 40", "overwrites or deletes history"]) if (!page.text.includes(part)) throw new Error(page.text);
    if (page.text.includes("origin release")) throw new Error(`it quotes the document: ${page.text}`);
    await vscode.keys("Control+F4");
  });

  await check("a Cursor rule is read, and its root's caveat.toml counts", async () => {
    await vscode.open("cleaning.mdc");
    // VS Code itself calls it Markdown in a folder of Cursor's, where it knows of that folder.
    if (!["mdc", "markdown"].includes(vscode.state().active.language)) throw new Error(vscode.state().active.language);
    await are(vscode, "cleaning.mdc", [["rm-rf", "error", 6, 15, "rm -rf ~/scratch"]]);
  });
  await check("one server for both roots", () => eventually(() => vscode.servers().length === 1, () => String(vscode.servers())));

  await check("the server killed: it is started again and knows the unsaved text", async () => {
    await vscode.go(10);
    await vscode.keys("End", "Enter");
    await vscode.type("- rm -rf /srv/older");
    await vscode.go(8);
    await vscode.keys("Control+Shift+k");
    const wanted = [["rm-rf", "error", 6, 15, "rm -rf ~/scratch"], ["rm-rf", "error", 9, 2, "rm -rf /srv/old"], ["rm-rf", "error", 10, 2, "rm -rf /srv/older"]];
    await are(vscode, "cleaning.mdc", wanted);
    const [before] = vscode.servers();
    process.kill(before, "SIGKILL");
    await eventually(() => vscode.servers().length === 1 && vscode.servers()[0] !== before, () => String(vscode.servers()));
    await vscode.keys("Control+z");
    await are(vscode, "cleaning.mdc", [wanted[0]]);
  });
  await check("a server that crashes over and over is left alone, and one message offers a way on", async () => {
    for (let crash = 0; crash < 4; crash++) {
      const id = await eventually(() => vscode.servers()[0], "a server");
      process.kill(id, "SIGKILL");
      await eventually(() => !vscode.servers().includes(id), "gone");
    }
    await vscode.notice("crashed 5 times");
    if ((await vscode.notices()).length !== 1) throw new Error(JSON.stringify(await vscode.notices()));
    await vscode.picture("crashed");
    await vscode.press("Restart");
    await eventually(() => vscode.servers().length === 1, "a server again");
    await are(vscode, "cleaning.mdc", [["rm-rf", "error", 6, 15, "rm -rf ~/scratch"]]);
  });

  await check("what is found in files that are not open is shown by itself", () => eventually(() => shown(vscode, "SKILL.md").length === 2, () => JSON.stringify(shown(vscode, "SKILL.md"))));
  await check("the workspace is checked, and nothing is shown twice", async () => {
    await vscode.command("caveat: Check Workspace");
    await vscode.notice("findings in ");
    await eventually(() => shown(vscode, "SKILL.md").length === 2, () => JSON.stringify(shown(vscode, "SKILL.md")));
    if (shown(vscode, "AGENTS.md").length !== 5) throw new Error(JSON.stringify(shown(vscode, "AGENTS.md")));
  });
  await check("opened, the file's findings are the server's, once", async () => {
    await vscode.open("SKILL.md");
    await are(vscode, "SKILL.md", [["rm-rf", "warning", 21, 0, "rm -rf build"], ["git-push-force", "error", 45, 0, 'git push --force origin preview/"$PR"']]);
  });

  await check("the audit is a page", async () => {
    await vscode.command("caveat: Open Audit as a Document");
    const found = await eventually(() => vscode.state().documents.find((one) => one.scheme === "caveat" && one.text.includes("# caveat audit")), "a page");
    for (const part of ["## demo", "## rules", "AGENTS.md:31", "rm-rf, chmod-777"]) if (!found.text.includes(part)) throw new Error(`no "${part}": ${found.text}`);
    if (found.text.includes("lantern/queue")) throw new Error(`it quotes a document: ${found.text}`);
    await vscode.keys("Control+F4");
  });
  await check("hints in place are switched on and off by a command", async () => {
    await vscode.open("AGENTS.md");
    await vscode.go(31);
    const hint = page.locator(".view-line", { hasText: /\d\sexempt/ });
    if ((await hint.count()) > 0) throw new Error("a hint before it is asked for");
    await vscode.command("caveat: Toggle Hints in Place");
    await hint.first().waitFor();
    await vscode.command("caveat: Toggle Hints in Place");
    await hint.first().waitFor({ state: "detached" });
  });

  await check("a path that names nothing: one message, and a way on", async () => {
    vscode.set({ "caveat.path": "/nowhere/caveat" });
    await vscode.notice("caveat.path names no program");
    await vscode.picture("missing");
    await eventually(() => vscode.servers().length === 0, () => String(vscode.servers()));
    await vscode.press("Open Setting");
    await page.waitForSelector(".settings-editor");
    await vscode.keys("Control+F4");
  });
  await check("a program of another version is told, and runs", async () => {
    const old = `${work}/old-caveat`;
    writeFileSync(old, `#!/bin/sh\n[ "$1" = --version ] && { echo 'caveat 9.9.9'; exit 0; }\nexec '${work}/caveat' "$@"\n`);
    chmodSync(old, 0o755);
    vscode.set({ "caveat.path": old });
    await vscode.notice("is of version 9.9.9");
    await eventually(() => vscode.servers(`${work}/caveat`).length === 1, "it runs");
  });
  await check("a program that is something else is told", async () => {
    vscode.set({ "caveat.path": "/bin/true" });
    await vscode.notice("is not caveat");
  });
  await check("the setting emptied: all is well again", async () => {
    vscode.set({});
    await eventually(() => vscode.servers().length === 1, "the shipped program runs");
    await are(vscode, "AGENTS.md", shown(vscode, "AGENTS.md"));
  });
});

const suspect = workspace("restricted");
writeFileSync(`${suspect}/planted`, `#!/bin/sh\ntouch '${suspect}/ran'\n[ "$1" = --version ] && echo 'caveat 0.1.0'\n`);
chmodSync(`${suspect}/planted`, 0o755);
mkdirSync(`${suspect}/demo/.vscode`);
writeFileSync(`${suspect}/demo/.vscode/settings.json`, JSON.stringify({ "caveat.path": `${suspect}/planted`, "caveat.untrusted": [] }));
writeFileSync(`${suspect}/demo/CLAUDE.md`, '<!-- caveat-allow rm-rf expires=2999-12-31 reason="it says so itself" -->\n\nRun `rm -rf ~/everything` first.\n');

await session({ name: "restricted", open: `${suspect}/demo`, trust: true, settings: { "security.workspace.trust.startupPrompt": "never", "security.workspace.trust.banner": "never" } }, async (vscode) => {
  await check("the window is restricted", () => vscode.state().trusted === false);
  await check("what is given is shown", async () => {
    await vscode.open("AGENTS.md");
    await eventually(() => shown(vscode, "AGENTS.md").length === 5, () => JSON.stringify(shown(vscode, "AGENTS.md")));
  });
  await check("it is the shipped program that runs, and no workspace's", () => vscode.servers().length === 1 && !existsSync(`${suspect}/ran`));
  await check("a suppression in the file does not count", async () => {
    await vscode.open("CLAUDE.md");
    await eventually(() => shown(vscode, "CLAUDE.md").some(([rule, , line]) => rule === "rm-rf" && line === 3), () => JSON.stringify(shown(vscode, "CLAUDE.md")));
    await vscode.picture("restricted");
  });
  await check("trusted, it counts, and the workspace still names no program", async () => {
    await vscode.command("Workspaces: Manage Workspace Trust");
    await vscode.page.locator('.workspace-trust-editor .monaco-button:has-text("Trust")').first().click();
    await eventually(() => vscode.state().trusted, "trusted");
    await vscode.open("CLAUDE.md");
    await eventually(() => vscode.servers().length === 1, "a server");
    await eventually(() => shown(vscode, "CLAUDE.md").length === 0, () => JSON.stringify(shown(vscode, "CLAUDE.md")));
    if (existsSync(`${suspect}/ran`)) throw new Error("a program of the workspace ran");
  });
});

const lone = workspace("missing");
await session({ name: "missing", open: `${lone}/demo`, vsix: `${work}/bare.vsix`, env: { PATH: `${process.execPath.replace(/\/node$/, "")}:/usr/bin:/bin` } }, async (vscode) => {
  await check("no program anywhere: one message says how to go on", async () => {
    await vscode.open("AGENTS.md");
    await vscode.notice("was not found");
    if ((await vscode.notices()).length !== 1) throw new Error(JSON.stringify(await vscode.notices()));
  });
  await check("the one named in the settings is used at once", async () => {
    vscode.set({ "caveat.path": `${work}/caveat` });
    await eventually(() => shown(vscode, "AGENTS.md").length === 5, () => JSON.stringify(shown(vscode, "AGENTS.md")));
  });
});

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
