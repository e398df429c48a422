-- What a person puts into init.lua.
vim.opt.runtimepath:append(vim.env.CAVEAT_EDITOR)
vim.lsp.enable("caveat")
