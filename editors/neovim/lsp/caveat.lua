-- caveat for Neovim 0.11 or newer. Put this folder on the runtime path (or copy this file to ~/.config/nvim/lsp/),
-- then: vim.lsp.enable("caveat")
---@type vim.lsp.Config
return {
  cmd = { "caveat", "lsp" },
  -- Which of them are looked at is decided by their paths.
  filetypes = { "markdown", "text", "json", "jsonc", "jsonl", "yaml", "toml" },
  root_markers = { "caveat.toml", ".git" },
}
