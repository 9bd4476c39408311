-- Run in Neovim after a set-up from the docs: findings, completion and rename in a.atl, told as JSON in $ATL_TEST_OUT.
local out = {}

local function wait(name, condition)
  local ok = vim.wait(20000, condition, 50)
  if not ok then
    error("nothing came: " .. name)
  end
end

local function run()
  wait("findings", function()
    return #vim.diagnostic.get(0) > 0
  end)
  out.findings = {}
  for _, found in ipairs(vim.diagnostic.get(0)) do
    table.insert(out.findings, { code = found.code, line = found.lnum, column = found.col, stop = found.end_col })
  end

  local clients = vim.lsp.get_clients and vim.lsp.get_clients() or vim.tbl_values(vim.lsp.buf_get_clients(0))
  out.encoding = clients[1].offset_encoding

  -- Behind `references x.`
  vim.api.nvim_win_set_cursor(0, { 4, #"  b bigint references x." })
  local params = vim.lsp.util.make_position_params(0, out.encoding)
  local answers = vim.lsp.buf_request_sync(0, "textDocument/completion", params, 20000)
  out.completions = {}
  for _, answer in pairs(answers) do
    for _, item in ipairs(answer.result.items) do
      table.insert(out.completions, item.label)
    end
  end

  -- On the name behind the emoji of line 7.
  local line = vim.api.nvim_buf_get_lines(0, 6, 7, true)[1]
  vim.api.nvim_win_set_cursor(0, { 7, line:find("badName", 1, true) - 1 })
  vim.lsp.buf.rename("good_name")
  wait("rename", function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n"):find("good_name", 1, true) ~= nil
  end)
  wait("fewer findings", function()
    return #vim.diagnostic.get(0) < #out.findings
  end)
  out.text = vim.api.nvim_buf_get_lines(0, 0, -1, true)
end

local function main()
  local ok, problem = pcall(run)
  if not ok then
    out.problem = tostring(problem)
  end
  local file = io.open(os.getenv("ATL_TEST_OUT"), "w")
  file:write(vim.fn.json_encode(out))
  file:close()
  vim.cmd("qa!")
end

vim.api.nvim_create_autocmd("VimEnter", {
  callback = function()
    vim.schedule(main)
  end,
})
