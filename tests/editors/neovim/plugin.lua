-- What the plugin brings beside the server: filetypes, commands, the health check, the help file. Started with init.lua
-- as a person writes it, and not from here.
local person = dofile(vim.env.CAVEAT_ROOT .. "/tests/editors/neovim/person.lua")
local check = person.check

person.run(function()
  vim.notify = function() end

  for name, kind in pairs({ ["rules/style.mdc"] = "markdown", [".cursorrules"] = "markdown", [".windsurfrules"] = "markdown", [".clinerules"] = "markdown", ["x.jsonl"] = "jsonl" }) do
    local found = vim.filetype.match({ filename = name })
    check(name .. " is of filetype " .. kind, found == kind, vim.inspect(found))
  end

  local _, attached = person.open("AGENTS.md")
  check("the server attaches", attached)
  check("findings come", person.eventually(function() return #vim.diagnostic.get(0) == 5 end), vim.inspect(vim.diagnostic.get(0)))

  -- The cursor stands before the finding, not on it.
  vim.api.nvim_win_set_cursor(0, { 44, 0 })
  vim.cmd("CaveatExplain")
  local said = person.floating()
  check(":CaveatExplain says what is wrong with the line", said:find("overwrites or deletes history", 1, true) ~= nil, said)
  check(":CaveatExplain says why the label does not hold", said:find("label on line 40", 1, true) ~= nil, said)
  check(":CaveatExplain quotes nothing", not said:find("origin release", 1, true), said)

  vim.cmd("checkhealth caveat")
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  check(":checkhealth names the version", report:find("is version %d+%.%d+%.%d+") ~= nil, report)
  check(":checkhealth finds no fault", not report:find("ERROR") and not report:find("WARNING"), report)
  check(":checkhealth sees the server", report:find("a server runs for 1 buffers", 1, true) ~= nil, report)
  vim.cmd("bwipeout!")
  vim.lsp.config("caveat", { cmd = { "no-such-caveat", "lsp" } })
  vim.cmd("checkhealth caveat")
  report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  check(":checkhealth says what to do where the program is missing", report:find("no%-such%-caveat cannot be run") ~= nil and report:find("cargo install", 1, true) ~= nil, report)
  vim.cmd("bwipeout!")
  local told
  vim.notify = function(text) told = text end
  vim.cmd("CaveatAudit")
  check(":CaveatAudit says that the program is missing", told ~= nil and told:find("cannot be run", 1, true) ~= nil, tostring(told))
  vim.lsp.config("caveat", { cmd = { "caveat", "lsp" } })

  vim.cmd("silent helptags " .. vim.fn.fnameescape(vim.env.CAVEAT_TAGS))
  vim.opt.runtimepath:append(vim.fn.fnamemodify(vim.env.CAVEAT_TAGS, ":h"))
  vim.cmd("help :CaveatExplain")
  check(":help leads to the command", vim.api.nvim_get_current_line():find(":CaveatExplain", 1, true) ~= nil, vim.api.nvim_get_current_line())

  for _, client in ipairs(vim.lsp.get_clients({ name = "caveat" })) do client:stop() end
  person.eventually(function() return #vim.lsp.get_clients({ name = "caveat" }) == 0 end)
end)
