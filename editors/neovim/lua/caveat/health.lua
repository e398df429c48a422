-- :checkhealth caveat
local M = {}

function M.check()
  local health = vim.health
  health.start("caveat")
  if vim.fn.has("nvim-0.11") == 0 then
    return health.error("Neovim is older than 0.11, and has no vim.lsp.enable", "Update Neovim.")
  end
  local program = require("caveat").program()
  if vim.fn.executable(program) == 0 then
    health.error(program .. " cannot be run", {
      "Install caveat so that it is on PATH: cargo install, npm or pip.",
      'Or name it: vim.lsp.config("caveat", { cmd = { "/path/to/caveat", "lsp" } })',
    })
  else
    local done = vim.system({ program, "--version" }, { text = true }):wait(10000)
    local version = done.code == 0 and (done.stdout or ""):match("^caveat (%d+%.%d+%.%d+%S*)")
    if version then
      health.ok(("%s is version %s"):format(vim.fn.exepath(program), version))
    else
      health.error(vim.fn.exepath(program) .. " does not say its version: it is not caveat, or does not run here")
    end
  end
  if vim.lsp.is_enabled and not vim.lsp.is_enabled("caveat") then
    health.warn("the server is not enabled", 'Put vim.lsp.enable("caveat") into your configuration.')
  else
    health.ok("the server is enabled")
  end
  local clients = vim.lsp.get_clients({ name = "caveat" })
  if #clients == 0 then
    health.info("no server runs: none of the files that are open asks for one")
  end
  for _, client in ipairs(clients) do
    health.ok(("a server runs for %d buffers, in %s"):format(#vim.tbl_keys(client.attached_buffers), client.root_dir or "no folder"))
  end
  local kind = vim.filetype.match({ filename = "rule.mdc" })
  if kind then
    health.ok("rules (.mdc) are of filetype " .. kind)
  else
    health.warn("rules (.mdc) have no filetype", "Put the folder editors/neovim on the runtime path, not its lsp/caveat.lua alone.")
  end
end

return M
