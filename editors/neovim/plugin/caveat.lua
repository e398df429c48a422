-- Commands of caveat. The server is started by `vim.lsp.enable("caveat")`, which is yours to say.
if vim.g.loaded_caveat then return end
vim.g.loaded_caveat = true

vim.api.nvim_create_user_command("CaveatAudit", function() require("caveat").audit() end,
  { desc = "caveat: every suppression, exemption and rule that is off, as a document" })
vim.api.nvim_create_user_command("CaveatExplain", function() require("caveat").explain() end,
  { desc = "caveat: explain the line under the cursor" })
