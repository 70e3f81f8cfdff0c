import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ACT_GUARDS } from '#contract/operator/act-guards.ts'
import { auditActionName, auditActionOptions } from '#contract/operator/audit.ts'
import { AUDIT_ACTIONS } from '#contract/operator/audit-sentences/sentences.ts'
import { ACCESS_TABLE } from '#tests/security/access-table.ts'
import { listProblems } from '#tests/support/hand-lists.ts'

const sources = globSync('src/server/**/*.ts')
  .filter((path) => !/[.]test[.]ts$|\/testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const textOf = (path: string) => sources.find((source) => source.path === path)?.text ?? ''

/** Lists with a file, whose download is an act. */
const downloads = Object.keys(ACCESS_TABLE).flatMap((call) => {
  const list = /^GET \/api\/operator\/([a-z-]+)(?:\/:\w+)*[.]csv$/.exec(call)?.[1]
  return list === undefined ? [] : [list]
})

/** How the codes that are put together come about, and the file that has the words. */
const PUT_TOGETHER: Record<string, { prefix: string; words: readonly string[]; path: string }> = {
  '`tournaments.${act}`': { prefix: '', words: [], path: '' },
  '`bank-transfers.${request.act}`': { prefix: '', words: [], path: '' },
  '`bank-transfers.${ACT}`': { prefix: '', words: [], path: '' },
  '`bank-transfers.${act}`': {
    prefix: 'bank-transfers.',
    words: ['propose'],
    path: 'src/server/modules/bank-inbox/operator/bank-transfers.service.ts',
  },
  '`bank-transfers.${ACT}-${decision.state}`': {
    prefix: 'bank-transfers.refund-at-gateway-',
    words: ['done', 'failed'],
    path: 'src/server/modules/bank-inbox/gateway-refunds/gateway-refunds.service.ts',
  },
  '`proposals.${act}`': {
    prefix: 'proposals.',
    words: ['propose', 'take-effect', 'outdate'],
    path: 'src/server/modules/proposals/proposals.service.ts',
  },
  '`planned-prices.${did}`': {
    prefix: 'planned-prices.',
    words: ['start', 'return', 'give-up'],
    path: 'src/server/modules/planned-prices/due-prices.service.ts',
  },
  '`${exported}.export`': { prefix: '', words: downloads.map((list) => `${list}.export`), path: '' },
}

/** Each `action:` of the server that is written as text, of a choice both sides. */
const written = sources.flatMap(({ text }) =>
  [...text.matchAll(/\baction: (?:\w+ \? )?('[^'\n]+'|`[^`\n]+`)(?: : ('[^'\n]+'))?/g)].flatMap(
    ([, one, other]) => [one, other].filter((code) => code !== undefined),
  ),
)

test('codes that are put together are those known here, of words that the program has', () => {
  const templates = new Set(written.filter((code) => code.startsWith('`')))
  expect([...templates].toSorted()).toEqual(Object.keys(PUT_TOGETHER).toSorted())
  const missing = Object.values(PUT_TOGETHER).flatMap(({ words, path }) =>
    path === '' ? [] : words.filter((word) => !textOf(path).includes(`'${word}'`)),
  )
  expect(missing).toEqual([])
})

test('every action of the audit trail has a sentence and a name, and every sentence an action', () => {
  const codes = new Set([
    ...Object.keys(ACT_GUARDS),
    ...written.filter((code) => code.startsWith("'")).map((code) => code.slice(1, -1)),
    ...Object.values(PUT_TOGETHER).flatMap(({ prefix, words }) => words.map((word) => prefix + word)),
  ])
  expect(codes.size).toBeGreaterThan(100)
  // An export without its row is in the sentences alone.
  const sentences = { found: codes, listed: AUDIT_ACTIONS }
  const where = 'src/contract/operator/audit-sentences/, an export also to tests/security/access-*.ts'
  expect(listProblems(sentences, where)).toEqual([])
  expect(AUDIT_ACTIONS.filter((action) => auditActionName(action) === action)).toEqual([])
  const labels = auditActionOptions().map(({ label }) => label)
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([])
})
