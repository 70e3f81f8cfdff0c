import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { reconcile } from '#server/modules/wallet/index.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { runCommand } from '#tests/support/processes.ts'
import { aPlayer } from '#tests/support/players.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { fillDatabase, type Filled } from './index.ts'

const SIZE = { players: 300, entries: 14, seed: 7 }

let portal: TestApp
let filled: Filled
let before: string[]

/** Every key, index and trigger of the database, as PostgreSQL would write it. */
const schemaOf = ({ ownerUrl }: TestApp): Promise<string[]> =>
  asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated AS line
         FROM pg_constraint WHERE connamespace::regnamespace::text IN ('public', 'game')
       UNION ALL
       SELECT indexdef FROM pg_indexes WHERE schemaname IN ('public', 'game')
       UNION ALL
       SELECT tgrelid::regclass || ' ' || pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal`,
    )
    return rows.map(({ line }) => line).sort()
  })

beforeAll(async () => {
  portal = await startTestApp({ mode: 'demo' })
  before = await schemaOf(portal)
  filled = await fillDatabase(portal.deps, portal.ownerUrl, SIZE)
}, 60_000)
afterAll(() => portal.close())

const one = async (text: string) => {
  const { rows } = await sql.raw<Record<string, string>>(text).execute(portal.db)
  return rows[0]
}

describe('a filled database', () => {
  test('has sound books with something of every kind in them', async () => {
    expect((await reconcile(portal.db)).filter(({ count }) => count !== 0)).toEqual([])
    const kinds = await sql<{ kind: string }>`SELECT DISTINCT kind FROM ledger_transfer ORDER BY 1`.execute(
      portal.db,
    )
    expect(kinds.rows.map(({ kind }) => kind)).toEqual([
      'activation',
      'exchange_hold',
      'exchange_refund',
      'exchange_settle',
      'p2p',
      'recharge',
    ])
    const states = await sql<{
      state: string
    }>`SELECT DISTINCT state FROM bank_transaction ORDER BY 1`.execute(portal.db)
    expect(states.rows.map(({ state }) => state)).toEqual(['credited', 'ignored', 'review'])
    expect(
      await one(`SELECT count(DISTINCT user_id)::integer AS players, count(*) FILTER (WHERE state = 'open')::integer AS open,
                        (SELECT count(*) FROM help_message)::integer AS messages FROM help_case`),
    ).toEqual({ players: SIZE.players, open: 150, messages: 2 * SIZE.players - 150 })
  })

  test('gives every player as many lines as requested, in the order of time', async () => {
    expect(
      await one(`SELECT count(*)::integer AS players, min(lines)::integer AS least, max(lines)::integer AS most
                   FROM (SELECT count(*) AS lines FROM ledger_entry WHERE account_id < 9000000000000000
                          GROUP BY account_id) each`),
    ).toEqual({ players: SIZE.players, least: SIZE.entries, most: SIZE.entries })
    expect(
      await one(`SELECT count(*)::integer AS late FROM (
                   SELECT created_at < lag(created_at) OVER (PARTITION BY account_id ORDER BY account_version) AS is_late
                     FROM ledger_entry) entry WHERE is_late`),
    ).toEqual({ late: 0 })
  })

  test('has its keys, indexes and triggers again', async () => {
    expect(await schemaOf(portal)).toEqual(before)
    await expect(
      asOwner(portal.ownerUrl, (client) => client.query('DELETE FROM ledger_entry')),
    ).rejects.toThrow('append-only')
  })

  test('is one in which players sign in, and new ones register', async () => {
    const { username, password } = filled
    const login = await portal.call('POST', '/api/auth/login', { body: { username, password } })
    expect(login.status).toBe(200)
    const statement = await portal.call('GET', '/api/user/transactions', { token: login.body.access_token })
    expect(statement.body.data.length).toBeGreaterThan(9)
    const { id } = await aPlayer(portal, { coins: 1_000 })
    expect(id).toBe(String(SIZE.players + 1))
    expect((await reconcile(portal.db)).filter(({ count }) => count !== 0)).toEqual([])
  })

  test('is not filled a second time', async () => {
    const words = ['fill', '--players', '10', '--entries', '10']
    const again = await runCommand(portal, words, { DEMO: '1' })
    expect([again.code, again.errors]).toEqual([
      1,
      'this database is not empty: fill another one, by another DATA_DIR or DATABASE_URL that nothing was started with yet\n',
    ])
  })
})

test.runIf(hasAllCases)(
  'the same seed gives the same rows, another one others',
  async () => {
    const rowsOf = async (seed: number) => {
      const other = await startTestApp({ mode: 'demo', overrides: { clock: portal.deps.clock } })
      onTestFinished(() => other.close())
      await fillDatabase(other.deps, other.ownerUrl, { players: 40, entries: 5, seed })
      const { rows } = await sql<{ row: string }>`
      SELECT concat_ws(' ', username, balance, code) AS row FROM users
        JOIN ledger_account account ON account.id = wallet_account_id
        JOIN payment_order o ON o.user_id = users.id ORDER BY users.id, o.id`.execute(other.db)
      return rows.map(({ row }) => row)
    }
    const [first, same, another] = [await rowsOf(1), await rowsOf(1), await rowsOf(2)]
    expect(first).toEqual(same)
    expect(first).not.toEqual(another)
  },
  60_000,
)

test('outside a demo nothing is filled', async () => {
  const refused = await runCommand(portal, ['fill', '--players', '10', '--entries', '10'])
  expect([refused.code, refused.errors]).toEqual([
    1,
    'fill writes made-up players, who all have one password: use it with DEMO=1, on a database of its own\n',
  ])
})
