#!/usr/bin/env node
// Runs the binary of this system's package, with the same streams, and ends as it ends.
"use strict";
const { spawn } = require("node:child_process");

const name = `caveat-lsp-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/caveat${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`caveat: the package ${name} is not installed. Either caveat is not built for this system, or optional dependencies were left out (npm install --include=optional).`);
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A signal to this process is meant for the program.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", () => {
  console.error(`caveat: the program of the package ${name} cannot be run on this system.`);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  if (signal === null) process.exit(status);
  for (const one of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(one);
  process.kill(process.pid, signal);
});
