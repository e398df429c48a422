-- Files that instruct agents and that Neovim has no filetype for.
vim.filetype.add({
  extension = { mdc = "markdown", jsonl = "jsonl" },
  filename = { [".cursorrules"] = "markdown", [".windsurfrules"] = "markdown", [".clinerules"] = "markdown" },
})
