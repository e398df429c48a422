-- The scenario of every editor, in Neovim. Run by tests/editors/neovim/run.
local person = dofile(vim.env.CAVEAT_ROOT .. "/tests/editors/neovim/person.lua")
local scenario = vim.json.decode(table.concat(vim.fn.readfile(vim.env.CAVEAT_ROOT .. "/tests/editors/scenario.json"), "\n"))
local SEVERITY = { "error", "warning", "info", "hint" }
local buf, file

local function line_of(number) return vim.api.nvim_buf_get_lines(buf, number - 1, number, true)[1] end

-- The findings as the scenario writes them: columns in UTF-16 units, of which Neovim knows bytes.
local function underlined()
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    local text = table.concat(vim.api.nvim_buf_get_text(buf, d.lnum, d.col, d.end_lnum, d.end_col, {}), "\n")
    table.insert(found, { d.code, SEVERITY[d.severity], d.lnum + 1, vim.str_utfindex(line_of(d.lnum + 1), "utf-16", d.col), text })
  end
  table.sort(found, function(a, b) return a[3] < b[3] or (a[3] == b[3] and a[4] < b[4]) end)
  return found
end

local function go(line, column)
  vim.api.nvim_win_set_cursor(0, { line, vim.str_byteindex(line_of(line), "utf-16", column or 0) })
end

local steps = {
  open = function(step)
    file = step.file
    local attached
    buf, attached = person.open(file)
    return attached
  end,
  diagnostics = function(step)
    local ok = person.eventually(function() return vim.deep_equal(underlined(), step.are) end)
    return ok, "wanted " .. vim.inspect(step.are) .. "\n        found  " .. vim.inspect(underlined())
  end,
  hover = function(step)
    go(step.line, step.column)
    vim.lsp.buf.hover()
    local said = person.floating()
    local ok = true
    for _, part in ipairs(step.says) do ok = ok and said:find(part, 1, true) ~= nil end
    for _, part in ipairs(step.never or {}) do ok = ok and not said:find(part, 1, true) end
    return ok, said
  end,
  ["delete-line"] = function(step)
    go(step.line)
    person.keys("dd")
    return true
  end,
  ["add-line"] = function(step)
    go(step.after)
    person.keys("o" .. step.text .. "<Esc>")
    return true
  end,
  save = function()
    vim.cmd("silent write")
    return not vim.bo[buf].modified
  end,
  fix = function(step)
    go(step.line, step.column)
    local before = vim.api.nvim_buf_get_changedtick(buf)
    vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title == step.action end })
    return person.eventually(function() return vim.api.nvim_buf_get_changedtick(buf) ~= before end)
  end,
  text = function(step)
    local line = line_of(step.line)
    return line:find(step.says, 1, true) ~= nil, line
  end,
  ["on-disk"] = function(step)
    local line = vim.fn.readfile(file)[step.line] or ""
    return line:find(step.says, 1, true) ~= nil, line
  end,
}

person.run(function()
  person.enable()
  for _, step in ipairs(scenario.steps) do
    local name = "scenario: " .. step.step .. (step.why and ": " .. step.why or "")
    local act = steps[step.step]
    if act then person.check(name, act(step)) else person.check(name, false, "a step that is not known here") end
  end
  for _, client in ipairs(vim.lsp.get_clients({ name = "caveat" })) do client:stop() end
  person.eventually(function() return #vim.lsp.get_clients({ name = "caveat" }) == 0 end)
end)
