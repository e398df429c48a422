-- What a person sees in Neovim: squiggles at the right words, hover with the proof, and both following the typing.
-- Run by tests/editors/neovim/run in a copy of fixtures/demo. Prints one line a check, then `N passed, N failed`.

local passed, failed = 0, 0
local function say(text) io.stdout:write(text .. "\n") end

local function check(name, ok, detail)
  if ok then passed = passed + 1 else failed = failed + 1 end
  say((ok and "ok      " or "FAILED  ") .. name .. ((not ok and detail) and "\n        " .. detail or ""))
end

-- Waits until `probe` gives true; the time is a cap against hanging, not a measure.
local function eventually(probe) return vim.wait(20000, probe, 10) end

-- The diagnostics of `buf` as `code "underlined text"`, in order of position.
local function underlined(buf)
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(buf)) do
    -- col is a byte column, whatever encoding was agreed on
    local text = table.concat(vim.api.nvim_buf_get_text(buf, d.lnum, d.col, d.end_lnum, d.end_col, {}), "\n")
    table.insert(found, { d.lnum, d.col, ('%s "%s"'):format(d.code, text) })
  end
  table.sort(found, function(a, b) return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]) end)
  return vim.tbl_map(function(f) return f[3] end, found)
end

local function check_diagnostics(name, buf, wanted)
  local ok = eventually(function() return vim.deep_equal(underlined(buf), wanted) end)
  check(name, ok, "wanted " .. vim.inspect(wanted) .. "\n        found  " .. vim.inspect(underlined(buf)))
end

-- The line (from 1) of the `nth` line that is exactly `text`, at or below `from`.
local function line_of(text, from)
  for n = from or 1, vim.api.nvim_buf_line_count(0) do
    if vim.api.nvim_buf_get_lines(0, n - 1, n, true)[1] == text then return n end
  end
  error("no line is " .. text)
end

local function keys(text)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, false, true), "tx", false)
end

-- Puts the cursor there, asks for hover as K does, and gives the floating window's text.
local function hover(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column or 0 })
  vim.lsp.buf.hover()
  local text
  eventually(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
        vim.api.nvim_win_close(window, true)
      end
    end
    return text ~= nil
  end)
  return text or ""
end

local function open(file)
  vim.cmd.edit(file)
  local buf = vim.api.nvim_get_current_buf()
  local attached = eventually(function() return #vim.lsp.get_clients({ bufnr = buf, name = "caveat" }) == 1 end)
  check("the server attaches to " .. file, attached)
  return buf
end

local function session()
  -- What Neovim would say on the last line of the screen is not for this output.
  vim.notify = function() end
  vim.o.report = 9999
  vim.o.shortmess = vim.o.shortmess .. "F"
  vim.opt.runtimepath:append(vim.env.CAVEAT_EDITOR)
  vim.cmd("filetype on")
  local exit_code
  local settings = { on_exit = function(code) exit_code = code end }
  if vim.env.CAVEAT_CLIENT == "plain" then
    -- As older editors are: no pull diagnostics, and positions in UTF-16 only.
    settings.before_init = function(params)
      params.capabilities.textDocument.diagnostic = nil
      params.capabilities.general.positionEncodings = { "utf-16" }
    end
  end
  vim.lsp.config("caveat", settings)
  vim.lsp.enable("caveat")

  -- Open: both sides at once.
  local agents = open("AGENTS.md")
  local client = vim.lsp.get_clients({ bufnr = agents })[1]
  local pulls = client:supports_method("textDocument/diagnostic")
  say("        positions in " .. client.offset_encoding .. ", diagnostics are " .. (pulls and "pulled" or "pushed"))
  if vim.env.CAVEAT_CLIENT == "plain" then
    check("a plain client is served as it can be", client.offset_encoding == "utf-16" and not pulls)
  else
    check("a modern client is served as it would be", client.offset_encoding == "utf-8" and pulls)
  end
  check("the root is the workspace", vim.fs.basename(client.root_dir or "") == "demo")
  local given = {
    'rm-rf "rm -rf ~/.cache/lantern"',
    'git-push-force "git push --force origin release"',
    'curl-pipe-shell "curl -fsSL https://get.example.com/labelint.sh | sh"',
    'git-clean-force "git clean -fdx"',
    'rm-rf "rm -rf worker/state"',
  }
  check_diagnostics("AGENTS.md: what is given is marked, what is forbidden is not", agents, given)
  check("each says that it comes from caveat", vim.iter(vim.diagnostic.get(agents)):all(function(d) return d.source == "caveat" end))

  -- Hover: the proof on an exempt block, on its label, and on a label that does not hold.
  local label = line_of("Never run these commands:")
  local forbidden = line_of("rm -rf /srv/lantern/queue")
  local proof = hover(forbidden)
  check("hover in an exempt block names the label's line", proof:find("line " .. label, 1, true) ~= nil, proof)
  check("hover on the label itself gives the same proof", hover(label) == proof)
  local cancelled = line_of("Never run these commands:", label + 1)
  local why = hover(cancelled)
  check("hover on a label that does not hold says why", why:find("exception", 1, true) ~= nil, why)
  vim.api.nvim_win_set_cursor(0, { line_of("## Set up"), 0 })
  local reply = client:request_sync("textDocument/hover", vim.lsp.util.make_position_params(0, client.offset_encoding), 20000, agents)
  check("hover on an ordinary line says nothing", reply ~= nil and reply.err == nil and (reply.result == nil or reply.result == vim.NIL), vim.inspect(reply))
  check("hover carries no text of the document", not (proof .. why):find("srv", 1, true), proof .. why)

  -- The label deleted, as a person does it, and typed again.
  local without_label = vim.list_extend({}, given)
  table.insert(without_label, 2, 'rm-rf "rm -rf /srv/lantern/queue"')
  table.insert(without_label, 3, 'chmod-777 "chmod -R 777 /srv/lantern"')
  vim.api.nvim_win_set_cursor(0, { label, 0 })
  keys("dd")
  check_diagnostics("the label deleted: its block is reported", agents, without_label)
  vim.api.nvim_win_set_cursor(0, { label, 0 })
  keys("ONever run these commands:<Esc>")
  check_diagnostics("the label typed again: its block is forbidden", agents, given)
  vim.api.nvim_win_set_cursor(0, { label, 0 })
  keys("A if<Esc>")
  check_diagnostics("more than a label: its block is reported", agents, without_label)
  vim.cmd("silent undo")
  check_diagnostics("undone: its block is forbidden", agents, given)

  -- A label typed letter by letter, each an edit of its own, while the server reads along.
  vim.api.nvim_buf_set_lines(agents, label - 1, label, true, { "" })
  check_diagnostics("the label emptied", agents, without_label)
  local text = "Never run these commands:"
  for n = 1, #text do
    vim.api.nvim_buf_set_text(agents, label - 1, n - 1, label - 1, n - 1, { text:sub(n, n) })
    vim.wait(2, function() return false end)
  end
  check_diagnostics("the label typed letter by letter", agents, given)

  -- A list.
  local first = line_of("- git push --force origin main")
  check("hover on a forbidden entry gives its proof", hover(first):find("line " .. line_of("Do not execute the following commands:"), 1, true) ~= nil, hover(first))
  vim.api.nvim_win_set_cursor(0, { first, 0 })
  keys("A, except on Fridays<Esc>")
  local with_exception = vim.list_extend({}, given)
  table.insert(with_exception, 2, 'git-push-force "git push --force origin main"')
  table.insert(with_exception, 3, 'git-clean-force "git clean -fdx"')
  check("an exception typed into an entry frees the list",
    eventually(function()
      local found = underlined(agents)
      return #found == #with_exception and vim.tbl_contains(found, 'git-clean-force "git clean -fdx"')
    end), vim.inspect(underlined(agents)))
  vim.cmd("silent undo")
  check_diagnostics("undone: the list is forbidden", agents, given)

  -- Columns behind é and an emoji, in a fence that never closes, and a near miss in a list.
  local runbook = open("runbooks/storage-full.md")
  check_diagnostics("runbook: the right words behind é and an emoji, and a fence that never closes", runbook, {
    'rm-rf "rm -rf /srv/lantern/previews"',
    'chmod-777 "chmod -R 777 /srv/lantern/site-14"',
    'rm-rf "rm -rf /srv/standby/wal"',
    'unclosed-fence "```sh"',
    'wget-pipe-shell "wget -qO- https://rescue.example.com/lantern.sh | bash"',
  })
  keys("Go```<Esc>")
  local runbook_given = {
    'rm-rf "rm -rf /srv/lantern/previews"',
    'chmod-777 "chmod -R 777 /srv/lantern/site-14"',
    'rm-rf "rm -rf /srv/standby/wal"',
    'wget-pipe-shell "wget -qO- https://rescue.example.com/lantern.sh | bash"',
  }
  check_diagnostics("runbook: the missing closing fence typed", runbook, runbook_given)

  -- A closing fence deleted, as a person does it, and typed again. No other line closes this one.
  local opening = line_of("~~~")
  local closing = line_of("~~~", opening + 1)
  proof = hover(opening + 1)
  check("hover in the fence names its label", proof:find("line " .. line_of("Don't use any of the following commands:"), 1, true) ~= nil, proof)
  vim.api.nvim_win_set_cursor(0, { closing, 0 })
  keys("dd")
  check("the closing fence deleted: its block is reported, and the fence too",
    eventually(function()
      local found = underlined(runbook)
      return vim.tbl_contains(found, 'rm-rf "rm -rf /srv/lantern/queue"')
        and vim.tbl_contains(found, 'rm-rf "rm -rf /srv/lantern/archive"')
        and vim.tbl_contains(found, 'unclosed-fence "~~~"')
    end), vim.inspect(underlined(runbook)))
  why = hover(opening + 1)
  check("the closing fence deleted: hover says that it is missing", why ~= proof and why:find("clos", 1, true) ~= nil, why)
  vim.api.nvim_win_set_cursor(0, { closing - 1, 0 })
  keys("o~~~<Esc>")
  check_diagnostics("the closing fence typed again", runbook, runbook_given)
  check("the closing fence typed again: hover gives the first proof", hover(opening + 1) == proof, hover(opening + 1))
  -- The missing fence again, closed by the editor's own "fix all"; a finding suppressed by an action that was chosen.
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(0), 0 })
  keys("dd")
  check("the last fence is open again", eventually(function() return vim.tbl_contains(underlined(runbook), 'unclosed-fence "```sh"') end))
  vim.lsp.buf.code_action({ context = { only = { "source.fixAll" }, diagnostics = {} }, apply = true })
  check_diagnostics("fix all closes it and touches nothing else", runbook, runbook_given)
  local piped = vim.fn.search("wget -qO-", "w")
  vim.api.nvim_win_set_cursor(0, { piped, 0 })
  vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title == "Suppress wget-pipe-shell here" end })
  check_diagnostics("a chosen action suppresses one finding", runbook, vim.list_slice(runbook_given, 1, 3))
  vim.cmd("silent undo")
  check_diagnostics("undone: it is reported again", runbook, runbook_given)
  check("one server for both files", #vim.lsp.get_clients({ name = "caveat" }) == 1)

  -- Close.
  vim.cmd("bdelete! " .. runbook)
  check("closing a file clears its diagnostics", eventually(function() return #vim.diagnostic.get(runbook) == 0 end))
  check("the other file keeps its own", vim.deep_equal(underlined(agents), given))

  client:stop()
  check("the server ends with status 0 when the editor leaves", eventually(function() return exit_code == 0 end), "status " .. tostring(exit_code))
end

local ok, err = xpcall(session, debug.traceback)
if not ok then check("the session runs to its end", false, err) end
say(("%d passed, %d failed"):format(passed, failed))
vim.cmd(failed == 0 and "qall!" or "cquit 1")
