import { expect, test } from 'vitest'
import { boardsOf, countsOf } from './boards.ts'
import { DATABASE_VARIABLE, readConfigFile, SECRET_VARIABLE } from './config.ts'

const ENVIRONMENT = {
  [DATABASE_VARIABLE]: 'mysql://portal@127.0.0.1/game',
  [SECRET_VARIABLE]: 'a-secret-of-the-tests',
}

const ofCharacters = { of: 'character', waiting: true }
const ofAccounts = { of: 'account', waiting: true }

test.each([
  ['list-of-names', { yen: ofCharacters, luong: ofAccounts }],
  ['by-key', { yen: ofCharacters, luong: ofAccounts }],
  ['view', { yen: ofCharacters, luong: ofAccounts }],
  ['one-row', { yen: ofCharacters, luong: ofCharacters }],
  ['other-database', { yen: ofCharacters, luong: ofCharacters }],
  ['json-object', { yen: ofCharacters, luong: ofCharacters }],
  ['power', { luong: ofCharacters }],
])('the boards of %s.json count what the file says', async (shape, counts) => {
  const config = await readConfigFile(`deploy/game/${shape}.json`, ENVIRONMENT)
  expect(countsOf(config)).toEqual(counts)
  expect(boardsOf(config)).toEqual(['level', ...Object.keys(counts)])
})
