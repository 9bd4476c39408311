// node prisma.cjs MODULE validate PATH...: read the files, validate them as one schema.
// node prisma.cjs MODULE lint PATH ROUNDS: print, as JSON, the milliseconds of each of so many runs over one file, a key
// being typed before each.
'use strict'
const fs = require('fs')

const [, , module_, call, ...rest] = process.argv
const prisma = require(module_)

if (call === 'validate') {
  let paths = rest
  if (rest.length === 1 && fs.statSync(rest[0]).isDirectory()) {
    paths = fs.readdirSync(rest[0]).map((name) => `${rest[0]}/${name}`)
  }
  const prismaSchema = paths.map((path) => [path, fs.readFileSync(path, 'utf8')])
  prisma.validate(JSON.stringify({ prismaSchema, noColor: true }))
} else {
  const [path, rounds] = rest
  const text = fs.readFileSync(path, 'utf8')
  const at = text.indexOf('\n', text.length / 2) + 1
  const times = []
  let found
  for (let round = 0; round < Number(rounds) + 10; round++) {
    const edited = `${text.slice(0, at)}${'/'.repeat(2 + (round % 7))}\n${text.slice(at)}`
    const started = performance.now()
    found = prisma.lint(JSON.stringify([[path, edited]]))
    if (round >= 10) times.push(performance.now() - started)
  }
  if (JSON.parse(found).some((each) => !each.is_warning)) throw new Error(found)
  process.stdout.write(JSON.stringify(times))
}
