import { randomUUID } from 'node:crypto'
import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAdapter } from '#game-adapter/adapter.ts'
import { openLog } from '#game-adapter/log.ts'
import {
  callGame,
  charactersOf,
  deliverTo,
  rankingOf,
  ADAPTER_SECRET,
  startAdaptedGame,
  type AdaptedGame,
} from '#tests/support/adapted-game.ts'
import {
  BROKEN,
  CAP,
  DOUBLED,
  FOUR_LETTERS,
  SHAPES,
  TEST_ACCOUNT,
  TOO_LONG,
  TWENTY_LETTERS,
} from '#tests/support/game-shapes.ts'
import { canHaveMysql, startMysql, type TestMysql } from '#tests/support/mysql.ts'
import { eventually } from '#tests/support/purchases.ts'
import { startStandIn, type StandIn } from '#tests/support/stand-in-collector.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { checkContract } from '../game-contract/game-contract.ts'

const isThere = await canHaveMysql()
const ACCOUNTS = 300
const START_MS_MAX = 120_000

let mysql: TestMysql
beforeAll(async () => {
  if (isThere) mysql = await startMysql()
}, START_MS_MAX)
afterAll(() => mysql?.close())

async function query(game: AdaptedGame, sql: string): Promise<RowDataPacket[]> {
  const connection = await createConnection({ uri: game.database.url, dateStrings: true })
  try {
    const [rows] = await connection.query<RowDataPacket[]>(sql)
    return rows
  } finally {
    await connection.end()
  }
}

describe.skipIf(!isThere).each(everyNth(SHAPES, 3))(
  'a game of the shape %s (skipped without MySQL)',
  (shape) => {
    let game: AdaptedGame
    let standIn: StandIn
    let characterId: string
    beforeAll(async () => {
      game = await startAdaptedGame(mysql, { shape, accounts: ACCOUNTS })
      standIn = await startStandIn(game.database.url, shape)
      characterId = (await charactersOf(game.url, TEST_ACCOUNT))[0]?.id ?? ''
    }, START_MS_MAX)
    afterAll(async () => {
      await standIn?.stop()
      await game?.close()
    })

    test('keeps every rule of the contract, with luong that arrives', async () => {
      const place = {
        url: game.url,
        secret: ADAPTER_SECRET,
        serverId: '1',
        account: TEST_ACCOUNT,
        collectMs: 2_000,
      }
      const outcomes = await checkContract(place)
      expect(outcomes.filter(({ outcome }) => outcome !== 'kept')).toEqual([])
      await eventually(async () => {
        const [row] = await query(
          game,
          `SELECT COUNT(*) AS n FROM portal_delivery WHERE status = 'applied' AND collected_at IS NULL`,
        )
        expect(row?.n).toBe(0)
      }, 10_000)
      expect(standIn.collected()).toBeGreaterThan(5)
    })

    test('lists the characters of an account, whatever capitals, the strongest first', async () => {
      const list = await charactersOf(game.url, TEST_ACCOUNT)
      // A head of -1 is shown as none.
      expect(list[0]).toMatchObject({ name: 'thunghiemkiem', head: 0, level: 60 })
      expect(list).toHaveLength(shape === 'one-row' ? 1 : 2)
      expect(await charactersOf(game.url, TEST_ACCOUNT.toUpperCase())).toEqual(list)
      expect(await charactersOf(game.url, TWENTY_LETTERS)).toHaveLength(1)
      expect(await charactersOf(game.url, 'thunghie%25')).toEqual([])
      expect(await charactersOf(game.url, TEST_ACCOUNT, '7')).toEqual([])
    })

    test('names that are doubled or of another length get nothing, and are in nobody’s way', async () => {
      for (const account of [DOUBLED, 'DoiTen', FOUR_LETTERS, TOO_LONG]) {
        expect(await charactersOf(game.url, account)).toEqual([])
        expect((await callGame(game.url, { path: `/v1/accounts/${account}` })).body).toMatchObject({
          status: 'known',
        })
      }
      const refusal = async (account: string) =>
        (await deliverTo(game.url, { account, characterId: '2' })).body
      expect(await refusal('DOITEN')).toEqual({ status: 'refused', reason: 'ambiguous-account' })
      expect(await refusal(FOUR_LETTERS)).toEqual({ status: 'refused', reason: 'account-name-length' })
      expect(await refusal(TOO_LONG)).toEqual({ status: 'refused', reason: 'account-name-length' })
      const ranked = (await rankingOf(game.url, 'level')).map(({ account }) => account)
      expect(ranked).not.toContain(DOUBLED)
      expect(ranked).toContain('#3')
      expect(game.logged.join('')).toContain('share their name, perhaps in other capitals')
    })

    test('ranks by what a board counts, ties always in the same order, without what cannot be read', async () => {
      const luong = await rankingOf(game.url, 'luong')
      expect(luong.slice(0, 20).map(({ value }) => value)).toEqual(Array.from({ length: 20 }, () => CAP))
      expect(luong.slice(0, 3).map(({ account }) => account)).toEqual(['nguoi7', 'nguoi8', 'nguoi9'])
      const values = luong.map(({ value }) => value)
      expect(values).toEqual(values.toSorted((a, b) => b - a))
      expect(luong.length).toBeGreaterThan(ACCOUNTS - 10)
      expect(luong.map(({ account }) => account)).not.toContain(BROKEN)
      expect(await rankingOf(game.url, 'luong', '25&offset=5')).toEqual(luong.slice(5, 30))
      expect((await rankingOf(game.url, 'luong', 25)).map(({ name }) => name)).toEqual(
        luong.slice(0, 25).map(({ name }) => name),
      )
      for (const board of ['level', 'yen']) {
        const rows = await rankingOf(game.url, board)
        const counted = rows.map(({ value }) => value)
        expect(counted).toEqual(counted.toSorted((a, b) => b - a))
        expect(await rankingOf(game.url, board)).toEqual(rows)
      }
      if (shape !== 'by-key') return
      const second = await rankingOf(game.url, 'level', 1_000, '2')
      expect(second.length).toBeGreaterThan(0)
      expect(second.every(({ name }) => name.startsWith('d'))).toBe(true)
    })

    test('what waits counts as the character’s, and says why it waits', async () => {
      const [character] = await charactersOf(game.url, 'nguoi9')
      const delivery = await deliverTo(game.url, { account: 'nguoi9', characterId: character!.id })
      expect(delivery.body).toEqual({ status: 'applied' })
      const status = () => callGame(game.url, { path: `/v1/deliveries/${delivery.id}` })
      await eventually(async () =>
        expect((await status()).body).toEqual({
          status: 'applied',
          collected_at: null,
          waiting: 'over-limit',
        }),
      )
      const [first] = await rankingOf(game.url, 'luong', 1)
      expect(first).toMatchObject({ account: 'nguoi9', value: CAP + 1 })
    })

    test('a delivery that could never fit is refused before it is stored, and stays refused', async () => {
      const reason = async (goods: object[]) =>
        (await deliverTo(game.url, { characterId, goods: goods as never })).body.reason
      expect(await reason([{ kind: 'luong', quantity: CAP + 1 }])).toBe('over-limit')
      const half = { kind: 'yen', quantity: CAP - 1 }
      expect(await reason([half, half])).toBe('over-limit')
      expect(await reason([{ kind: 'item', code: 'kiem-go', quantity: 1 }])).toBe('unknown-item')
      expect(await reason([{ kind: 'item', code: 'pet', quantity: 2 }])).toBe('over-limit')
      expect(await reason([{ kind: 'item', code: 'pet', quantity: 1 }])).toBeUndefined()
      expect(await reason([])).toBe('no-goods')
      for (const odd of [`0${characterId}`, `${characterId}abc`, `${characterId}.0`, ' ']) {
        const { body } = await deliverTo(game.url, { characterId: odd })
        expect(body).toEqual({ status: 'refused', reason: 'no-such-character' })
      }
    })

    test('a character that was made just now can get something', async () => {
      const made = {
        'json-list': [
          `INSERT INTO ninja (name, head, nclass, level, yen) VALUES ('moitinh', 1, 1, 99, 0)`,
          `INSERT INTO player (username, password, ninja) VALUES ('MoiTinh', 'x', '["moitinh"]')`,
        ],
        'by-key': [
          `INSERT INTO users (username, password) VALUES ('MoiTinh', 'x')`,
          `INSERT INTO hero (userId, idserver, name, lv, class_id, coin_lock, gold)
           SELECT id, 1, 'moitinh', 99, 1, 0, 0 FROM users WHERE username = 'MoiTinh'`,
        ],
        // Equal for the column, which compares without accents.
        'one-row': [
          `INSERT INTO members (account, password, charname, level) VALUES ('MoiTinh', 'x', 'moitinh', 99)`,
          `INSERT INTO members (account, password, charname, level) VALUES ('moitình', 'x', 'nguoikhac', 98)`,
        ],
      }[shape]
      for (const statement of made) await query(game, statement)
      const [character] = await charactersOf(game.url, 'moitinh')
      expect(character).toMatchObject({ name: 'moitinh', level: 99 })
      const { status } = await deliverTo(game.url, { account: 'moitinh', characterId: character!.id })
      expect(status).toBe(200)
      expect((await rankingOf(game.url, 'level', 10)).map(({ account }) => account)).toContain('moitinh')
    })
  },
)

describe.skipIf(!isThere)('the adapter (skipped without MySQL)', () => {
  let game: AdaptedGame
  beforeAll(async () => {
    game = await startAdaptedGame(mysql, { shape: 'by-key', accounts: 30 })
  }, START_MS_MAX)
  afterAll(() => game?.close())

  const account = (changed: object) =>
    callGame(game.url, {
      method: 'PUT',
      path: `/v1/accounts/${TEST_ACCOUNT}`,
      body: {
        account: TEST_ACCOUNT,
        activated: true,
        banned_until: null,
        password_changed_at: null,
        version: 5,
        ...changed,
      },
    })

  test('stores what the portal says of an account, and takes nothing back for an older version', async () => {
    const stored = async () => {
      const [row] = await query(
        game,
        `SELECT activated, banned_until, version FROM portal_account WHERE account = '${TEST_ACCOUNT}'`,
      )
      return row
    }
    expect(await account({ banned_until: '2030-01-02T03:04:05.678+07:00' })).toEqual({
      status: 200,
      body: { status: 'stored' },
    })
    const first = { activated: 1, banned_until: '2030-01-01 20:04:05.678', version: 5 }
    expect(await stored()).toEqual(first)
    expect((await account({ activated: false, version: 4 })).status).toBe(200)
    expect((await account({ activated: false, version: 5 })).status).toBe(200)
    expect(await stored()).toEqual(first)
    expect((await account({ activated: false, version: 1_800_000_000_000 })).status).toBe(200)
    expect(await stored()).toEqual({ activated: 0, banned_until: null, version: 1_800_000_000_000 })
    expect((await callGame(game.url, { path: `/v1/accounts/${TEST_ACCOUNT.toUpperCase()}` })).body).toEqual({
      status: 'known',
      version: 1_800_000_000_000,
    })
    expect(await account({ version: 'x' })).toEqual({
      status: 400,
      body: { error: 'bad-request', field: 'version' },
    })
    expect((await account({ account: 'another' })).body.field).toBe('account')
    expect((await account({ banned_until: 'soon' })).body.field).toBe('banned_until')
  })

  test('knows an account without case, and no pattern', async () => {
    const status = async (name: string) =>
      (await callGame(game.url, { path: `/v1/accounts/${name}` })).body.status
    expect(await status('THUNGHIEM')).toBe('known')
    for (const name of ['%25', 'thunghie_', 'khong-co-ai', '%E1%BA%A1'])
      expect(await status(name)).toBe('unknown')
    expect((await callGame(game.url, { path: '/v1/accounts/%ZZ' })).status).toBe(400)
  })

  test('describes the game and when its collector was last there', async () => {
    const until = '2026-11-26T10:00:00.000Z'
    const { body } = await callGame(game.url, { path: `/v1/game?accounts_until=${until}` })
    expect(body).toMatchObject({
      servers: [{ id: '1' }, { id: '2' }],
      boards: ['level', 'yen', 'luong'],
      counts: { yen: { of: 'character', waiting: true }, luong: { of: 'character', waiting: true } },
      items: [{ code: 'pet' }, { code: 'companion' }],
      max: { luong: CAP, yen: CAP },
      classes: { 1: 'Kiếm' },
      collector_seen_at: null,
      half_lock_seen_at: null,
    })
    await query(
      game,
      `INSERT INTO portal_state (name, value) VALUES ('half_lock_seen_at', '2026-11-26 01:02:03.456')`,
    )
    await query(game, `INSERT INTO portal_collector VALUES ('s1', '2026-11-26 01:02:03.456', NULL)`)
    const earlier = await callGame(game.url, { path: '/v1/game?accounts_until=2026-11-26T09:00:00.000Z' })
    expect(earlier.body.collector_seen_at).toBe('2026-11-26T01:02:03.456Z')
    expect(earlier.body.half_lock_seen_at).toBe('2026-11-26T01:02:03.456Z')
    const [state] = await query(game, `SELECT value FROM portal_state WHERE name = 'accounts_until'`)
    expect(state?.value).toBe(until)
    expect((await callGame(game.url, { path: '/v1/game?accounts_until=x' })).status).toBe(400)
  })

  test('answers what it does not know with 4xx', async () => {
    const status = async (path: string, method: 'GET' | 'PUT' | 'POST' = 'GET') =>
      (await callGame(game.url, { method, path })).status
    expect(await status('/v1/nothing')).toBe(404)
    expect(await status('/v1/rankings/clan?server_id=1')).toBe(404)
    expect(await status('/v1/rankings/level?limit=3')).toBe(400)
    expect(await status('/v1/characters?server_id=1')).toBe(400)
    expect(await status(`/v1/deliveries/${randomUUID()}`, 'POST')).toBe(405)
    expect(await status(`/v1/accounts/abcde`, 'POST')).toBe(405)
    expect(await status(`/v1/characters?account=${'x'.repeat(3_000)}`)).toBe(414)
    expect((await callGame(game.url, { path: '/v1/game', secret: 'another-secret-of-16' })).status).toBe(401)
  })

  test('waits for no game that holds a row, and gives the same answer later', async () => {
    const connection = await createConnection({ uri: game.database.url })
    const [{ id } = { id: '' }] = await charactersOf(game.url, TEST_ACCOUNT)
    await connection.query('START TRANSACTION')
    await connection.query('SELECT * FROM hero FOR UPDATE')
    const began = performance.now()
    const delivery = await deliverTo(game.url, { characterId: id })
    expect([delivery.status, performance.now() - began < 1_000]).toEqual([200, true])
    await connection.query('ROLLBACK')
    await connection.end()
    expect((await deliverTo(game.url, { characterId: id, id: delivery.id })).body).toEqual({
      status: 'applied',
    })
  })

  test('a delivery that meets its cancellation waits for it, and is refused', async () => {
    const connection = await createConnection({ uri: game.database.url })
    const [{ id: characterId } = { id: '' }] = await charactersOf(game.url, TEST_ACCOUNT)
    const id = randomUUID()
    await connection.query('START TRANSACTION')
    await connection.query(
      `INSERT INTO portal_delivery (id, status, created_at) VALUES (?, 'cancelled', UTC_TIMESTAMP(3))`,
      [id],
    )
    const delivery = deliverTo(game.url, { id, characterId })
    await eventually(async () => {
      // MySQL shows no statement with the bytes of a hash in its lists of what waits.
      const [row] = await query(game, `SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'`)
      expect(row?.Value).toBe('1')
    })
    await connection.query('COMMIT')
    await connection.end()
    expect(await delivery).toMatchObject({ status: 422, body: { status: 'refused', reason: 'cancelled' } })
  })

  test('one delivery that comes forty times at once is stored once', async () => {
    const [{ id } = { id: '' }] = await charactersOf(game.url, TEST_ACCOUNT)
    const same = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => deliverTo(game.url, { characterId: id, id: same })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [row] = await query(game, `SELECT COUNT(*) AS n FROM portal_delivery WHERE id = '${same}'`)
    expect(row?.n).toBe(1)
  })

  test('luong of the account is shown at its strongest character, and banned players in no ranking', async () => {
    await query(game, 'ALTER TABLE users ADD luong INT NOT NULL DEFAULT 0, ADD ban BIT NOT NULL DEFAULT 0')
    await query(game, 'UPDATE users SET luong = id * 10')
    await query(game, `UPDATE users SET ban = 1 WHERE username = 'nguoi29'`)
    const { config } = game
    const adapter = await startAdapter(
      {
        ...config,
        luong: 'account',
        accounts: { ...config.accounts, luong: 'luong', banned: 'ban' },
        heads: { 3: 'Áo xanh' },
      },
      openLog(() => {}),
    )
    const { url } = adapter
    expect((await callGame(url, { path: '/v1/game' })).body).toMatchObject({
      counts: { luong: { of: 'account', waiting: true } },
      heads: [3],
      head_names: { 3: 'Áo xanh' },
    })
    const [first, second] = await rankingOf(url, 'luong', 2)
    expect([first, second].map((row) => row?.account)).toEqual(['nguoi28', 'nguoi27'])
    const [main, other] = await charactersOf(url, TEST_ACCOUNT)
    const before = (await rankingOf(url, 'luong')).find(({ account }) => account === TEST_ACCOUNT)
    expect(before).toMatchObject({ name: main!.name })
    await deliverTo(url, { characterId: other!.id, goods: [{ kind: 'luong', quantity: 1_000 }] })
    expect((await rankingOf(url, 'luong', 1))[0]).toEqual({ ...before, value: before!.value + 1_000 })
    expect((await rankingOf(url, 'level')).map(({ account }) => account)).not.toContain('nguoi29')
    await adapter.close()
  })
})
