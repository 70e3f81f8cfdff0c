import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAdapter } from '#game-adapter/adapter.ts'
import { readConfig, readConfigFile } from '#game-adapter/config.ts'
import { install } from '#game-adapter/install.ts'
import { openLog } from '#game-adapter/log.ts'
import { charactersOf, deliverTo, detectedConfig } from '#tests/support/adapted-game.ts'
import { BROKEN, fillGame, TEST_ACCOUNT } from '#tests/support/game-shapes.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { canHaveMysql, startMysql, type TestMysql } from '#tests/support/mysql.ts'
import { wrongIn } from '../game-adapter/check-schema.ts'
import { makeSchema, type GameSchema } from '../game-adapter/schema-tables.ts'
import { SCHEMAS } from '../game-adapter/schemas.ts'

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

describe.skipIf(!isThere)('phones and addresses of players (skipped without MySQL)', () => {
  const importOf = async (...statements: string[]) =>
    (await detectedConfig(await aGame(...statements))).file.import

  test('are found by their names and by what is in them', async () => {
    const found = await importOf(
      'ALTER TABLE player ADD email_token VARCHAR(64), ADD sdt BIGINT, ADD mail VARCHAR(100)',
      `UPDATE player SET email_token = MD5(id), sdt = IF(id % 3 = 0, 0, 912345000 + id), mail = CONCAT(username, '@thu.test')`,
    )
    expect(found).toEqual({ password: 'password', phone: 'sdt', email: 'mail' })
  })

  test('are not taken for what is called so and holds something else; an empty column is proposed by its name', async () => {
    const found = await importOf(
      'ALTER TABLE player ADD phone VARCHAR(64), ADD email VARCHAR(100)',
      `UPDATE player SET phone = CONCAT('Nokia ', id)`,
    )
    expect(found).toEqual({ password: 'password', email: 'email' })
  })
})

/** In every run these: lists of names among templates, accounts elsewhere. All with all cases; with 100,000 accounts by `npm run game-adapter-check`. */
const ACCOUNTS = 120
const quietly = { isCarriedOut: true, print: () => {} }

describe.skipIf(!isThere)('schemas of real games (skipped without MySQL)', () => {
  test.each(everyNth(SCHEMAS, 5))('detect is right for $name', async (schema) => {
    const { url, other } = await makeSchema(mysql, schema, { accounts: ACCOUNTS })
    expect(wrongIn(await detectedConfig(url), schema, other)).toEqual([])
  })

  test.each(
    everyNth(
      SCHEMAS.filter(({ example }) => example !== undefined),
      7,
      2,
    ),
  )('install takes the example $example, and the adapter lists characters by it', async (schema) => {
    const { url } = await makeSchema(mysql, schema, { accounts: ACCOUNTS, other: 'tgame' })
    const environment = { GAME_DATABASE_URL: url, GAME_SERVER_SECRET: 'the-secret-of-the-example' }
    const config = await readConfigFile(`deploy/game/${schema.example}`, environment)
    await install({ ...config, port: 0 }, quietly)
    const detected = (await detectedConfig(url)).config
    const served = { ...config, port: 0, secrets: detected.secrets }
    const adapter = await startAdapter(served, silent)
    const characters = await charactersOf(adapter.url, TEST_ACCOUNT)
    expect(characters.length).toBe(schema.purse === null ? 0 : 1)
    await adapter.close()
    await mysql.asRoot(async (root) => void (await root.query('DROP DATABASE IF EXISTS tgame')))
  })
})

describe.skipIf(!isThere)('install refuses what cannot be right (skipped without MySQL)', () => {
  test('templates as characters, a text as luong, a cap that does not fit, power as a level', async () => {
    const lists = SCHEMAS[0] as GameSchema
    const { url } = await makeSchema(mysql, lists, { accounts: ACCOUNTS })
    const { file } = await detectedConfig(url)
    const refusal = async (changed: object) => {
      const config = readConfig({ ...file, database: url, secret: 'the-secret-of-a-refusal', ...changed }, {})
      return String(
        await install(config, { isCarriedOut: false, print: () => {} }).catch(
          (error: Error) => error.message,
        ),
      )
    }
    const { accounts, characters } = file as { accounts: object; characters: object }
    expect(await refusal({ characters: { ...characters, table: 'item', head: null, class: null } })).toMatch(
      /none of 60 names in player\.ninja is found in item\.name: name the tables that belong together/,
    )
    expect(await refusal({ accounts: { ...accounts, luong: 'password' } })).toMatch(
      /accounts\.luong: player\.password is char\(30\), no number: name the column of numbers/,
    )
    expect(await refusal({ caps: { luong: 3_000_000_000 } })).toMatch(
      /lower caps\.luong .* at most 2147483647/,
    )
    expect(await refusal({ characters: { ...characters, level: 'exp' } })).toMatch(
      /ninja\.exp holds 119000, which is experience or power and no level: .*"thresholds"/,
    )
    expect(await refusal({})).toMatch(/^\d+$/)
  })
})
