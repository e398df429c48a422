-- What the commands of caveat do. Each says in one line what is wrong where it cannot do it.
local M = {}

local function say(text) vim.notify("caveat: " .. text, vim.log.levels.ERROR) end

-- The client of the current buffer, else any that runs.
local function client()
  return vim.lsp.get_clients({ name = "caveat", bufnr = 0 })[1] or vim.lsp.get_clients({ name = "caveat" })[1]
end

-- The program that `vim.lsp.config` names, else `caveat`.
function M.program()
  local cmd = (vim.lsp.config["caveat"] or {}).cmd
  return type(cmd) == "table" and cmd[1] or "caveat"
end

-- Shows `lines` in a window of its own; nothing there can be written over a file.
local function page(name, lines)
  vim.cmd("new")
  local buf = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].buftype, vim.bo[buf].bufhidden, vim.bo[buf].swapfile, vim.bo[buf].modifiable = "nofile", "wipe", false, false
  vim.api.nvim_buf_set_name(buf, ("caveat://%d/%s"):format(buf, name))
  return buf
end

-- Every suppression, exemption and rule that is off, as `caveat audit` tells them, of the folder that the server works in.
function M.audit()
  local program, one = M.program(), client()
  if vim.fn.executable(program) == 0 then return say("the program " .. program .. " cannot be run; see :checkhealth caveat") end
  local folder = one and one.root_dir or vim.fn.getcwd()
  vim.system({ program, "audit" }, { text = true, cwd = folder }, vim.schedule_wrap(function(done)
    if done.code == 2 then return say("this caveat has no audit, or it cannot be made: " .. vim.trim(done.stderr or "")) end
    page("audit", vim.split(vim.trim(done.stdout or ""), "\n"))
  end))
end

-- What is to be said of the line under the cursor, wherever on it the cursor stands.
function M.explain()
  local one = client()
  if not one then return say("no server is attached; see :checkhealth caveat") end
  local buf, line = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] - 1
  local columns = { vim.api.nvim_win_get_cursor(0)[2], 0 }
  for _, found in ipairs(vim.diagnostic.get(buf, { lnum = line })) do table.insert(columns, 1, found.col) end
  local text, asked = {}, {}
  for _, column in ipairs(columns) do
    if not asked[column] then
      asked[column] = true
      local content = vim.api.nvim_buf_get_lines(buf, line, line + 1, true)[1]
      local character = vim.str_utfindex(content, one.offset_encoding, math.min(column, #content), false)
      local reply = one:request_sync("textDocument/hover", {
        textDocument = { uri = vim.uri_from_bufnr(buf) },
        position = { line = line, character = character },
      }, 5000, buf)
      local contents = reply and type(reply.result) == "table" and reply.result.contents
      if contents then
        for _, part in ipairs(vim.split(contents.value, "\n\n---\n\n", { plain = true })) do
          if not vim.tbl_contains(text, part) then table.insert(text, part) end
        end
      end
    end
  end
  if #text == 0 then return vim.notify("caveat: this line gives no command that does harm, and stands in no prohibition") end
  vim.lsp.util.open_floating_preview(vim.split(table.concat(text, "\n\n---\n\n"), "\n"), "markdown", { border = "rounded", focus_id = "caveat" })
end

return M
