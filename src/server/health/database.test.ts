import { expect, test } from 'vitest'
import { parseMigration } from '#server/platform/db/migration-files.ts'
import { schemaFinding } from './database.ts'

const first = parseMigration('9001-first.sql', '-- contract\n')
const contract = parseMigration('9002-less.sql', '-- contract\n')
const expand = parseMigration('9003-more.sql', '-- expand\n')
const all = [first, contract, expand]

test.each([
  ['nothing', [], 'ok', /^up to date$/],
  ['an expand migration', [expand], 'ok', /^1 migrations are missing: the next start applies them$/],
  ['everything', all, 'ok', /^3 migrations are missing: the next start applies them$/],
  [
    'a contract migration, beside which processes of the program before cannot work',
    [contract, expand],
    'warning',
    /^2 migrations are missing: .*; end every process of the program before it .* 9002-less\.sql$/,
  ],
])('a database that lacks %s', (_, missing, level, text) => {
  expect(schemaFinding(all, missing)).toEqual({ level, name: 'schema', text: expect.stringMatching(text) })
})
