import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { asModule, REACT_FILES } from '#scripts/react-modules.ts'

const require = createRequire(import.meta.url)

test.each(Object.entries(REACT_FILES))('as a module %s exports what it did', async (_name, file) => {
  const module = parseAst(asModule(await readFile(file, 'utf8'), file))
  const exported = module.body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration'
      ? statement.specifiers.map(({ exported }) => ('name' in exported ? exported.name : exported.value))
      : [],
  )
  expect(exported.toSorted()).toEqual(Object.keys(require(file) as object).toSorted())
})

test.each([
  'module.exports = {}',
  'exports.a = 1\nlet b = require("b")',
  'exports.a = 1\nmodule(exports)',
  'exports.a = 1\nif (a)\n  exports.b = 2',
])('what is written in another way is refused: %s', (code) => {
  expect(() => asModule(code, 'other.js')).toThrow('other.js')
})
