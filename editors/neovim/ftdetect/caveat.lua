-- Files that instruct agents and that Neovim has no filetype for.
vim.filetype.add({
  extension = { mdc = "markdown" },
  filename = { [".cursorrules"] = "markdown", [".windsurfrules"] = "markdown", [".clinerules"] = "markdown" },
})
