import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { inTestRun } from '#scripts/test-run.ts'
import { SHAPES, type ShapeName } from '#tests/support/game-shapes.ts'
import { canHaveMysql } from '#tests/support/mysql.ts'
import { checkShape, type Checked } from './check-shape.ts'

const USAGE = `npm run game-adapter-check [-- --accounts 100000] [--bag 500] [--shape json-list]

Fills a MariaDB of its own with games of the three shapes, one after the other, and holds the game adapter against them:
detect, install, every rule of game-contract with a collector, and the time of every list and ranking, each alone and ten at
once. MYSQL_SERVER=/path/to/mysqld: that server instead of MariaDB.
  --accounts N   accounts in each shape
  --bag N        bytes of a character's bag
  --shape NAME   only this one of ${SHAPES.join(', ')}
Prints one JSON object last; exit code 1 when a rule is broken or a list takes a second or more.`

const { values } = readOptions({
  usage: USAGE,
  options: { accounts: 'number', bag: 'number', shape: 'text' },
})
const { accounts = 100_000, bag: bagBytes = 500, shape } = values
const isShape = (text: string): text is ShapeName => (SHAPES as readonly string[]).includes(text)
if (shape !== undefined && !isShape(shape)) endWithUsage(USAGE, `“${shape}” is no shape.`)

if (!(await canHaveMysql())) process.exitCode = 2
else {
  await inTestRun(async () => {
    const results: Checked[] = []
    for (const each of shape === undefined ? SHAPES : [shape]) {
      results.push(await checkShape({ shape: each, accounts, bagBytes }))
    }
    console.log(JSON.stringify({ accounts, bagBytes, results }))
    process.exitCode = results.every(({ isRight }) => isRight) ? 0 : 1
  })
}
