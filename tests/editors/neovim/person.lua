-- What the sessions in Neovim share: checks that are counted, and what a person does and sees.
local M = { passed = 0, failed = 0 }

function M.say(text) io.stdout:write(text .. "\n") end

function M.check(name, ok, detail)
  if ok then M.passed = M.passed + 1 else M.failed = M.failed + 1 end
  M.say((ok and "ok      " or "FAILED  ") .. name .. ((not ok and detail) and "\n        " .. detail or ""))
end

-- Waits until `probe` gives true; the time is a cap against hanging, not a measure.
function M.eventually(probe) return vim.wait(20000, probe, 10) end

function M.keys(text)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, false, true), "tx", false)
end

-- The floating window's text, after which it is closed; "" where there is none.
function M.floating()
  local text
  M.eventually(function()
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

-- Starts the client as `$CAVEAT_CLIENT` says: modern, or plain as older editors are.
function M.enable()
  vim.notify = function() end
  vim.o.report = 9999
  vim.o.shortmess = vim.o.shortmess .. "F"
  vim.opt.runtimepath:append(vim.env.CAVEAT_EDITOR)
  vim.cmd("filetype on")
  if vim.env.CAVEAT_CLIENT == "plain" then
    vim.lsp.config("caveat", {
      before_init = function(params)
        params.capabilities.textDocument.diagnostic = nil
        params.capabilities.general.positionEncodings = { "utf-16" }
      end,
    })
  end
  vim.lsp.enable("caveat")
end

function M.open(file)
  vim.cmd.edit(file)
  local buf = vim.api.nvim_get_current_buf()
  return buf, M.eventually(function() return #vim.lsp.get_clients({ bufnr = buf, name = "caveat" }) == 1 end)
end

-- Runs `session`, prints the counts and leaves.
function M.run(session)
  local ok, err = xpcall(session, debug.traceback)
  if not ok then M.check("the session runs to its end", false, err) end
  M.say(("%d passed, %d failed"):format(M.passed, M.failed))
  vim.cmd(M.failed == 0 and "qall!" or "cquit 1")
end

return M
