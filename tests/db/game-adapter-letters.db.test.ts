import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAdapter } from '#game-adapter/adapter.ts'
import { install } from '#game-adapter/install.ts'
import { openLog } from '#game-adapter/log.ts'
import { charactersOf, deliverTo, detectedConfig } from '#tests/support/adapted-game.ts'
import { BROKEN, fillGame, TEST_ACCOUNT } from '#tests/support/game-shapes.ts'
import { canHaveMysql, startMysql, type TestMysql } from '#tests/support/mysql.ts'

const isThere = await canHaveMysql()
const silent = openLog(() => {})

let mysql: TestMysql
beforeAll(async () => {
  if (isThere) mysql = await startMysql()
}, 120_000)
afterAll(() => mysql?.close())

/** A game with lists of characters, changed by these statements; answers its address. */
async function aGame(...statements: string[]): Promise<string> {
  const { url } = await mysql.createDatabase()
  await fillGame(url, { shape: 'json-list', accounts: 20 })
  for (const statement of statements) await query(url, statement)
  return url
}

async function query(url: string, statement: string): Promise<RowDataPacket[]> {
  const connection = await createConnection({ uri: url })
  try {
    const [rows] = await connection.query<RowDataPacket[]>(statement)
    return rows
  } finally {
    await connection.end()
  }
}

/** Starts the adapter as it is installed. */
async function started(config: Awaited<ReturnType<typeof detectedConfig>>['config']) {
  await install(config, { isCarriedOut: true, print: () => {} })
  return startAdapter(config, silent)
}

/** A text as a game stores it that writes UTF-8 through a connection of latin1. */
const bytesOf = (text: string) => `CONVERT(CAST(_utf8mb4'${text}' AS BINARY) USING latin1)`

describe.skipIf(!isThere)('letters of a game (skipped without MySQL)', () => {
  test('find UTF-8 in columns of latin1 and in doubled form, and show the names that were meant', async () => {
    const url = await aGame(
      'ALTER TABLE ninja MODIFY name VARCHAR(60) CHARACTER SET latin1, MODIFY level INT NOT NULL DEFAULT 1',
      `DELETE FROM player WHERE username = '${BROKEN}'`,
      `UPDATE ninja SET name = ${bytesOf('Nguyễn Ổi')} WHERE name = 'thunghiemkiem'`,
      `UPDATE ninja SET name = 'Ngà' WHERE name = 'thunghiemhai'`,
      `UPDATE player SET ninja = CONVERT(${bytesOf('["Nguyễn Ổi","Ngà"]')} USING utf8) WHERE username = '${TEST_ACCOUNT}'`,
    )
    const { findings, config } = await detectedConfig(url)
    const letters = findings.filter((finding) => finding.startsWith('letters: '))
    expect(letters).toEqual([
      expect.stringMatching(/player\.ninja \(utf8\w*\) .* means \["Nguyễn Ổi","Ngà"\]\. .*UPDATE `player`/),
      expect.stringMatching(
        /ninja\.name \(latin1\) .* 1 of 2 values .* means Nguyễn Ổi\. .*MODIFY `name` BLOB/,
      ),
    ])
    const adapter = await started(config)
    const names = (await charactersOf(adapter.url, TEST_ACCOUNT)).map(({ name }) => name)
    expect(names.toSorted()).toEqual(['Nguyễn Ổi', 'Ngà'].toSorted())
    await adapter.close()
    const hex = await query(
      url,
      `SELECT HEX(name) AS bytes FROM ninja WHERE level = 60 AND name LIKE 'Nguy%'`,
    )
    expect(hex).toEqual([{ bytes: Buffer.from('Nguyễn Ổi').toString('hex').toUpperCase() }])
  })

  test('names that differ in marks are no doubled ones, and get their deliveries', async () => {
    const url = await aGame(
      'ALTER TABLE player MODIFY username VARCHAR(24) CHARACTER SET utf8 COLLATE utf8_general_ci NOT NULL',
      `INSERT INTO player (username, password, ninja) VALUES ('tuananh', 'x', '["tuan"]'), ('tuấnanh', 'x', '["tuấn"]')`,
      `INSERT INTO ninja (name, nclass, level, yen) VALUES ('tuan', 1, 9, 0), ('tuấn', 1, 8, 0)`,
    )
    const { findings, config } = await detectedConfig(url)
    const doubled = findings.find((finding) => finding.includes('several accounts have'))
    expect(doubled).toMatch(/: 1, such as doiten$/)
    expect(findings.join('\n')).toMatch(/other signs than letters without marks .*: 1, such as tuấnanh/)
    const adapter = await started(config)
    const [character] = await charactersOf(adapter.url, 'tuananh')
    expect(character).toMatchObject({ name: 'tuan' })
    const delivery = await deliverTo(adapter.url, { account: 'tuananh', characterId: character!.id })
    expect(delivery.body).toEqual({ status: 'applied' })
    await adapter.close()
  })
})
