// node engine.cjs MODULE FROM TO ROUNDS: print the script from one folder of Prisma schema to another, made by the schema
// engine's WebAssembly module; on standard error, as JSON, the milliseconds of each of so many runs after the first.
'use strict'
const fs = require('fs')

const [, , home, from, to, rounds] = process.argv

// The engine wants a database even where it compares two files: it asks for the version, and makes its schema.
const ok = (value) => ({ ok: true, value })
const version = {
  columnNames: ['exists', 'version', 'numeric_version'],
  columnTypes: [5, 7, 0],
  rows: [[true, 'PostgreSQL 16.0', 160000]],
}
const connection = {
  provider: 'postgres',
  adapterName: 'none',
  queryRaw: async () => ok(version),
  executeRaw: async () => ok(0),
  executeScript: async () => ok(undefined),
  dispose: async () => ok(undefined),
  getConnectionInfo: () => ok({ supportsRelationJoins: false }),
}
const adapter = { provider: 'postgres', adapterName: 'none', connect: async () => ok(connection) }

function side(folder) {
  const files = fs.readdirSync(folder).map((name) => ({
    path: `${folder}/${name}`,
    content: fs.readFileSync(`${folder}/${name}`, 'utf8'),
  }))
  return { tag: 'schemaDatamodel', files }
}

async function main() {
  const glue = await import(`${home}/schema_engine_bg.js`)
  const wasm = new WebAssembly.Module(fs.readFileSync(`${home}/schema_engine_bg.wasm`))
  const { exports } = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': glue })
  glue.__wbg_set_wasm(exports)
  exports.__wbindgen_start()
  const engine = await glue.SchemaEngine.new({}, () => {}, adapter)
  const filters = { externalTables: [], externalEnums: [] }
  const params = { from: side(from), to: side(to), script: true, exitCode: null, filters }
  process.stdout.write((await engine.diff(params)).stdout)
  const times = []
  for (let round = 0; round < Number(rounds); round++) {
    const started = performance.now()
    await engine.diff(params)
    times.push(performance.now() - started)
  }
  process.stderr.write(JSON.stringify(times))
}

main().catch((problem) => {
  console.error(problem)
  process.exit(1)
})
