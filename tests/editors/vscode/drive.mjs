// VS Code without a screen: code-server on loopback, its page in headless Chromium, and what a person does there.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";

const { CAVEAT_WORK: work, CAVEAT_VSCODE: vscode, CAVEAT_PICTURES: pictures } = process.env;
const { chromium } = createRequire(`${vscode}/x.js`)("playwright-core");
const ENTRY = `${vscode}/node_modules/code-server/out/node/entry.js`;
/** A cap against hanging, not a measure. */
const LONG = 60_000;

const SETTINGS = {
  "workbench.startupEditor": "none",
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  // Settings and trust as tabs, which a key closes.
  "workbench.editor.useModal": "off",
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "git.enabled": false,
  "files.autoSave": "off",
  "files.hotExit": "off",
  "editor.hover.delay": 100,
  "workbench.colorTheme": "Default Dark Modern",
  // A person's bracket helpers would change what is typed.
  "editor.autoClosingBrackets": "never",
};

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function eventually(probe, what) {
  const end = Date.now() + LONG;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > end) throw new Error(`never: ${typeof what === "function" ? await what() : what}`);
    await pause(50);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** One VS Code with a person before it. */
export class Session {
  /**
   * Starts one. `name`: of its folder; `open`: the folder or .code-workspace file; `vsix`: the packed extension;
   * `settings`: the person's; `trust`: whether VS Code asks for trust.
   */
  static async start({ name, open, vsix, settings = {}, trust = false, env = {} }) {
    const self = new Session();
    self.home = `${work}/${name}`;
    self.user = `${self.home}/data/User/settings.json`;
    // Where the window is served from elsewhere, as here, settings of scope "machine" are that machine's.
    self.machine = `${self.home}/data/Machine/settings.json`;
    self.probe = `${self.home}/probe.json`;
    mkdirSync(`${self.home}/data/User`, { recursive: true });
    mkdirSync(`${self.home}/data/Machine`, { recursive: true });
    self.set(settings);
    const base = ["--config", "/dev/null", "--user-data-dir", `${self.home}/data`, "--extensions-dir", `${self.home}/extensions`];
    const environment = { ...process.env, HOME: self.home, XDG_CONFIG_HOME: `${self.home}/config`, XDG_DATA_HOME: `${self.home}/share`, CAVEAT_PROBE: self.probe, ...env };
    for (const one of [vsix, `${work}/probe.vsix`]) {
      execFileSync(process.execPath, [ENTRY, ...base, "--install-extension", one, "--force"], { env: environment, stdio: ["ignore", "pipe", "pipe"] });
    }
    const port = await freePort();
    const trusting = trust ? [] : ["--disable-workspace-trust"];
    // A group of its own, so that its end is the end of all that it started.
    self.server = spawn(process.execPath, [ENTRY, "--bind-addr", `127.0.0.1:${port}`, "--auth", "none", ...base, "--disable-telemetry", "--disable-update-check", "--disable-getting-started-override", ...trusting], { env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    self.log = "";
    for (const stream of [self.server.stdout, self.server.stderr]) stream.on("data", (data) => (self.log += data));
    await eventually(async () => self.server.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/healthz`).then((reply) => reply.ok, () => false)), () => self.log);
    self.browser = await chromium.launchPersistentContext(`${self.home}/browser`, {
      executablePath: "/usr/bin/chromium",
      headless: true,
      viewport: { width: 1280, height: 800 },
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    // The page would ask other hosts for things that this test does not need.
    await self.browser.route((url) => url.protocol.startsWith("http") && url.hostname !== "127.0.0.1", (route) => route.abort());
    self.page = self.browser.pages()[0] ?? (await self.browser.newPage());
    self.page.setDefaultTimeout(LONG);
    const what = open.endsWith(".code-workspace") ? "workspace" : "folder";
    await self.page.goto(`http://127.0.0.1:${port}/?${what}=${encodeURIComponent(open)}`);
    await self.page.waitForSelector(".monaco-workbench .part.statusbar");
    await self.page.waitForSelector(".explorer-folders-view .monaco-list-row");
    await eventually(() => self.state(), "the probe writes");
    return self;
  }

  async end() {
    await this.browser?.close().catch(() => undefined);
    try {
      process.kill(-this.server.pid, "SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  /** The person's settings, as their file. */
  set(settings) {
    writeFileSync(this.user, JSON.stringify({ ...SETTINGS, ...settings }, null, 2));
    writeFileSync(this.machine, JSON.stringify(settings, null, 2));
  }

  /** What the probe wrote last. */
  state() {
    try {
      return JSON.parse(readFileSync(this.probe, "utf8"));
    } catch {
      return undefined;
    }
  }

  keys(...names) {
    return names.reduce((before, name) => before.then(() => this.page.keyboard.press(name)), Promise.resolve());
  }

  type(text) {
    return this.page.keyboard.type(text, { delay: 5 });
  }

  /**
   * Opens VS Code's quick input with `key`, puts `text` into it and gives it to `then`; the whole once more where that
   * fails: an editor that is still opening or closing takes the focus, and the input is gone. What is put in is put in
   * there: keys typed after it is gone would change the document.
   */
  async ask(key, text, then) {
    const input = this.page.locator(".quick-input-widget:visible input").first();
    for (let left = 5; ; left--) {
      const timeout = left > 0 ? 5_000 : LONG;
      await this.keys(key);
      try {
        await input.waitFor({ timeout });
        await input.fill(text, { timeout });
        return await then(input, timeout);
      } catch (error) {
        if (left === 0) throw error;
        await this.keys("Escape");
      }
    }
  }

  /** Runs a command by its name in the palette. */
  async command(title) {
    // Enter takes the first row, which need not be this one.
    await this.ask("F1", `>${title}`, (_, timeout) => this.page.locator(`.quick-input-list .monaco-list-row[aria-label*="${title}"]`).first().click({ timeout }));
  }

  /** Opens a file by its name. */
  async open(file) {
    const name = file.split("/").pop();
    await this.ask("Control+p", file, async (input, timeout) => {
      await this.page.locator(`.quick-input-list .monaco-list-row.focused[aria-label*="${name}"]`).waitFor({ timeout });
      await input.press("Enter", { timeout });
    });
    await eventually(() => this.state()?.active?.file.endsWith(file), () => `${file} in front; it is ${this.state()?.active?.file}`);
  }

  /** Puts the cursor there: line from 1, column from 0 in UTF-16 units. */
  async go(line, column = 0) {
    await this.ask("Control+g", `:${line},1`, (input, timeout) => input.press("Enter", { timeout }));
    const at = () => this.state()?.active;
    await eventually(() => at()?.line === line && at().column === 0, () => `the cursor on line ${line}: ${at()?.line}`);
    // Keys go where the focus is, and it comes back to the editor a moment later.
    await this.page.waitForFunction(() => Boolean(document.activeElement?.closest(".monaco-editor")));
    // Walked, and looked at: what the picker counts as a column need not be ours.
    while (at().column < column) {
      const before = at().column;
      // Never too many: a step is one unit or two.
      for (let step = 0; step < Math.max(1, Math.floor((column - before) / 2)); step++) await this.keys("ArrowRight");
      await eventually(() => at().column > before, () => `the cursor to move from column ${before}`);
      await pause(150);
    }
  }

  /** Presses `names` until `appears` (a selector) is there: a press may come before the editor takes keys again. */
  async until(appears, ...names) {
    for (let left = 5; ; left--) {
      await this.keys(...names);
      try {
        await this.page.locator(appears).first().waitFor({ timeout: left > 0 ? 5_000 : LONG });
        return;
      } catch (error) {
        if (left === 0) throw error;
        await this.keys("Escape");
      }
    }
  }

  /** The hover at the cursor, asked for by keyboard. */
  async hover() {
    const appears = ".monaco-editor .monaco-hover:visible .hover-contents";
    await this.until(appears, "Control+k", "Control+i");
    const box = this.page.locator(appears);
    const text = await eventually(async () => {
      const said = (await box.allInnerTexts()).join("\n");
      return said !== "" && !/^loading/i.test(said) && said;
    }, "a hover with a text");
    return text.replaceAll("\u00a0", " ");
  }

  /** Makes the quick fix `title` at the cursor, by keyboard. */
  async fix(title) {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    await this.until(".action-widget .monaco-list-row.action", "Control+.");
    await this.picture("fix");
    const focused = () => this.page.locator(".action-widget .monaco-list-row.focused").first().innerText().catch(() => "");
    for (let row = await rows.count(); row > 0 && !(await focused()).includes(title); row--) await this.keys("ArrowDown");
    if (!(await focused()).includes(title)) throw new Error(`no fix "${title}" among ${JSON.stringify(await rows.allInnerTexts())}`);
    await this.keys("Enter");
  }

  /** The processes of the server: those that run the program shipped in this session's extension. */
  servers(program = `${this.home}/extensions/`) {
    return readdirSync("/proc").filter((id) => /^\d+$/.test(id)).map(Number).filter((id) => {
      try {
        return readlinkSync(`/proc/${id}/exe`).startsWith(program) && !readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--version");
      } catch {
        return false;
      }
    });
  }

  /** What the notifications say. */
  async notices() {
    return (await this.page.locator(".notifications-toasts .notification-list-item-message, .notifications-center .notification-list-item-message").allInnerTexts()).map((one) => one.replaceAll("\u00a0", " "));
  }

  notice(part) {
    return eventually(async () => (await this.notices()).find((one) => one.includes(part)), async () => `a notice with "${part}"; there are ${JSON.stringify(await this.notices())}`);
  }

  async press(button) {
    await this.page.locator(`.notifications-toasts .monaco-button:has-text("${button}")`).first().click();
  }

  async picture(name) {
    if (pictures) await this.page.screenshot({ path: `${pictures}/vscode-${name}.png` });
  }
}
