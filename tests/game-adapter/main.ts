import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { inTestRun } from '#scripts/test-run.ts'
import { SHAPES, type ShapeName } from '#tests/support/game-shapes.ts'
import { canHaveMysql } from '#tests/support/mysql.ts'
import { checkSchema, checkShape, type Checked } from './check-shape.ts'
import { SCHEMAS } from './schemas.ts'

const USAGE = `npm run game-adapter-check [-- --accounts 100000] [--bag 500] [--shape json-list | --schema 5]

Fills a MariaDB of its own with games of the three shapes and of ten schemas as real games have them, one after the other, and
holds the game adapter against them: what detect proposes, install, every rule of game-contract with a collector, and the time
of every list and ranking, each alone and ten at once. MYSQL_SERVER=/path/to/mysqld: that server instead of MariaDB.
  --accounts N   accounts in each shape
  --bag N        bytes of a character's bag
  --shape NAME   only this one of ${SHAPES.join(', ')}
  --schema N     only this one:
${SCHEMAS.map(({ name }, at) => `                 ${at + 1}  ${name}`).join('\n')}
Prints one JSON object last; exit code 1 when detect is wrong or takes 5 s, a rule is broken or a list
takes a second or more.`

const { values } = readOptions({
  usage: USAGE,
  options: { accounts: 'number', bag: 'number', shape: 'text', schema: 'number' },
})
const { accounts = 100_000, bag: bagBytes = 500, shape, schema } = values
const isShape = (text: string): text is ShapeName => (SHAPES as readonly string[]).includes(text)
if (shape !== undefined && !isShape(shape)) endWithUsage(USAGE, `“${shape}” is no shape.`)

if (!(await canHaveMysql())) process.exitCode = 2
else {
  await inTestRun(async () => {
    const results: Checked[] = []
    const shapes = schema !== undefined ? [] : shape === undefined ? SHAPES : [shape]
    for (const each of shapes) results.push(await checkShape({ shape: each, accounts, bagBytes }))
    const schemas =
      shape !== undefined ? [] : schema === undefined ? SCHEMAS : SCHEMAS.slice(schema - 1, schema)
    for (const each of schemas) results.push(await checkSchema(each, accounts))
    console.log(JSON.stringify({ accounts, bagBytes, results }))
    process.exitCode = results.every(({ isRight }) => isRight) ? 0 : 1
  })
}
