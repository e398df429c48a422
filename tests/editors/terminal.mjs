// Draws what a terminal shows: node terminal.mjs VSCODE_FOLDER IN.ansi OUT.png. IN is what `tmux capture-pane -e` prints:
// text and SGR sequences, one line a row.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, input, output] = process.argv.slice(2);
const { chromium } = createRequire(`${folder}/x.js`)("playwright-core");

const BASE = ["#1e2127", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4", "#5c6370", "#ff7b86", "#b5e090", "#f0d197", "#79c0ff", "#d8a0e8", "#79d2dd", "#ffffff"];
function indexed(n) {
  if (n < 16) return BASE[n];
  if (n > 231) return `rgb(${Array(3).fill(8 + (n - 232) * 10)})`;
  const level = (k) => (k === 0 ? 0 : 55 + k * 40);
  const c = n - 16;
  return `rgb(${[Math.floor(c / 36), Math.floor(c / 6) % 6, c % 6].map(level)})`;
}

const escape = (text) => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
let style = {};
function apply(codes) {
  for (let i = 0; i < codes.length; i++) {
    const [code, sub] = codes[i].split(":").map(Number);
    const colour = () => {
      if (codes[i + 1] === "5") return indexed(Number(codes[(i += 2)]));
      const rgb = codes.slice(i + 2, i + 5);
      i += 4;
      return `rgb(${rgb})`;
    };
    if (!code) style = {};
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 22) style.bold = style.dim = false;
    else if (code === 3) style.italic = true;
    else if (code === 23) style.italic = false;
    else if (code === 4) style.line = sub === 0 ? undefined : sub === 3 ? "wavy" : "solid";
    else if (code === 24) style.line = undefined;
    else if (code === 7) style.reverse = true;
    else if (code === 27) style.reverse = false;
    else if (code >= 30 && code <= 37) style.fg = BASE[code - 30];
    else if (code === 38) style.fg = colour();
    else if (code === 39) style.fg = undefined;
    else if (code >= 40 && code <= 47) style.bg = BASE[code - 40];
    else if (code === 48) style.bg = colour();
    else if (code === 49) style.bg = undefined;
    else if (code >= 90 && code <= 97) style.fg = BASE[code - 82];
    else if (code >= 100 && code <= 107) style.bg = BASE[code - 92];
  }
}
function css() {
  let fg = style.fg ?? "#c8ccd4";
  let bg = style.bg ?? "transparent";
  if (style.reverse) [fg, bg] = [style.bg ?? "#1e2127", style.fg ?? "#c8ccd4"];
  return `display:inline-block;height:18px;color:${fg};background:${bg};${style.bold ? "font-weight:bold;" : ""}${style.dim ? "opacity:.7;" : ""}${style.italic ? "font-style:italic;" : ""}${style.line ? `text-decoration:underline ${style.line} #e06c75;` : ""}`;
}

/** How much of the picture has which ground: the terminal leaves out what it has cleared with it. */
const grounds = new Map();
const rows = readFileSync(input, "utf8").replace(/\n$/, "").split("\n").map((row) => {
  const pieces = row.split(/\x1b\[([0-9;:]*)m/);
  return pieces.map((piece, index) => {
    if (index % 2 === 0) grounds.set(style.bg, (grounds.get(style.bg) ?? 0) + piece.length);
    if (index % 2 === 0) return piece && `<span style="${css()}">${escape(piece.replace(/\x1b.|[\x00-\x08\x0e-\x1f]/g, ""))}</span>`;
    apply(piece.split(";"));
    return "";
  }).join("");
});
const ground = [...grounds].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "#14161b";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"] });
const page = await browser.newPage();
await page.setContent(`<body style="margin:0"><pre style="display:inline-block;margin:0;padding:10px;background:${ground};font:14px/18px 'DejaVu Sans Mono',monospace">${rows.join("\n")}</pre>`);
await page.locator("pre").screenshot({ path: output });
await browser.close();
