import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyAuditChain } from '#server/modules/audit/audit.service.ts'
import { useTestApp } from '#tests/support/app.ts'
import { dumpDatabase, type Dump } from '#tests/support/databases.ts'
import { aNotification, anOrder, deliver } from '#tests/support/bank.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { personalColumns } from '#tests/support/personal-columns.ts'
import { aPlayer } from '#tests/support/players.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { erasePerson, exportPerson } from '#server/modules/personal-data/index.ts'
import {
  aRichPlayer,
  mentionsOf,
  NAMES,
  openCompany,
  type Company,
  type RichPlayer,
} from '#tests/support/rich-player.ts'

const portal = useTestApp()

const words = (text: string | undefined) => (text === undefined ? [] : text.split(' '))

const NOT_EXPORTED = [
  'users.password_hash',
  'idempotency_key.response',
  // Made of the name, which is exported.
  'teams.skeleton',
]

/** A moment as the export writes it; any other text as it is. */
const momentIn = (text: string) => (/^\d{4}-\d\d-\d\dT/.test(text) ? new Date(text).toISOString() : text)

test('every column of the database is classified', async () => {
  const client = new pg.Client({ connectionString: portal.ownerUrl })
  await client.connect()
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT CASE WHEN table_schema = 'public' THEN '' ELSE table_schema || '.' END || table_name AS table,
            column_name AS column
       FROM information_schema.columns
      WHERE table_schema IN ('public', 'game') AND table_name <> 'schema_migration'`,
  )
  await client.end()
  const classified = Object.entries(personalColumns).flatMap(([table, classification]) => {
    const columns =
      'rows' in classification
        ? words(classification.rows)
        : words(`${classification.erased ?? ''} ${classification.rest}`.trim())
    return columns.map((column) => `${table}.${column}`)
  })
  const found = rows.map(({ table, column }) => `${table}.${column}`)
  const where = 'tests/support/personal-columns.ts: `rows` (erased with their row), `erased`, or `rest`'
  expect(listProblems({ found, listed: classified }, where)).toEqual([])
})

describe('a player who has done everything', () => {
  let company: Company
  let player: RichPlayer
  let before: Dump
  let full: Dump
  let exported: Record<string, Record<string, unknown>[]>
  let after: Dump
  beforeAll(async () => {
    company = await openCompany(portal)
    before = await dumpDatabase(portal)
    player = await aRichPlayer(portal, company)
    full = await dumpDatabase(portal)
    let text = ''
    for await (const piece of await exportPerson({ db: portal.db, now: new Date() }, player.username))
      text += piece
    exported = JSON.parse(text)
    await erasePerson(portal.deps, { username: player.username.toLowerCase(), withBalance: true })
    after = await dumpDatabase(portal)
  }, 60_000)

  /** Rows, or values of a column, that came with the player. */
  const came = (of: (dump: Dump) => (string | null | undefined)[]) => {
    const known = new Set(of(before))
    return of(full).filter((value) => value && !known.has(value))
  }

  test('has rows and values in everything that is classified as personal, and leaves none of them', () => {
    const problems: string[] = []
    const check = (name: string, of: (dump: Dump) => (string | null | undefined)[]) => {
      const theirs = came(of)
      if (theirs.length === 0) problems.push(`${name}: give it a value in tests/support/rich-player.ts`)
      const now = new Set(of(after))
      for (const value of theirs.filter((one) => now.has(one)))
        problems.push(`${name}: erase ${value} in the module’s PersonalPart or in erase_user`)
    }
    for (const [table, classification] of Object.entries(personalColumns)) {
      if ('rows' in classification) check(table, (read) => read.get(table)?.texts ?? [])
      else
        for (const column of words(classification.erased))
          check(`${table}.${column}`, (read) => read.get(table)?.rows.map((row) => row[column]) ?? [])
    }
    expect(problems).toEqual([])
  })

  test('finds the value of every erased column in the export, but of secrets, stored answers and what is made of others', () => {
    const text = JSON.stringify(exported)
    const isExported = (value: string | null | undefined) =>
      value && (text.includes(JSON.stringify(value).slice(1, -1)) || text.includes(momentIn(value)))
    const missing = Object.entries(personalColumns).flatMap(([table, classification]) =>
      words('rows' in classification ? undefined : classification.erased)
        .filter(
          (column) => !came((read) => read.get(table)?.rows.map((row) => row[column]) ?? []).some(isExported),
        )
        .map((column) => `${table}.${column}`),
    )
    const where = 'the export of the module’s PersonalPart'
    expect(listProblems({ found: missing, listed: NOT_EXPORTED }, where)).toEqual([])
  })

  test('is named nowhere in a dump of the whole database', () => {
    expect(player.characters.length).toBeGreaterThan(0)
    expect(mentionsOf(player, full).length).toBeGreaterThan(20)
    expect(mentionsOf(player, after)).toEqual([])
  })

  test('leaves books and trail whole', async () => {
    await expectReconciled(portal)
    expect((await verifyAuditChain(portal.db)).faults).toEqual([])
    const ledger = (read: Dump) => read.get('ledger_entry')?.texts.length ?? 0
    // Only what was left in the wallet moved.
    expect(ledger(after)).toBe(ledger(full) + 2)
  })

  test('was exported with all they gave and did', () => {
    const only = (list: string) => exported[list]?.[0]
    expect(only('account')).toMatchObject({
      username: NAMES.username,
      email: NAMES.email,
      phone: '84912345678',
    })
    expect(only('bank_transfers')?.['memo']).toContain(NAMES.bankName)
    expect(only('recharge_claims')).toMatchObject({ note: NAMES.words, has_picture: true })
    expect(only('sessions')?.['user_agent']).toBe(NAMES.userAgent)
    expect(only('deliveries')).toMatchObject({ account: NAMES.username.toLowerCase(), state: 'delivered' })
    const empty = Object.entries(exported)
      .filter(([, rows]) => Array.isArray(rows) && rows.length === 0)
      .map(([list]) => list)
    expect(empty).toEqual([])
    // The operators' words are theirs.
    expect(Object.keys(only('operator_notes') ?? {})).toEqual(['created_at'])
    expect(Object.keys(only('order_notes') ?? {})).toEqual(['code', 'created_at'])
  })

  test('can sign in no more, and nobody gets the name', async () => {
    const { username, password } = player
    const login = await portal.call('POST', '/api/auth/login', { body: { username, password } })
    expect(login.body.code).toBe('INVALID_CREDENTIALS')
    const alias = await portal.call('POST', '/api/auth/login', {
      body: { username: `da-xoa-${player.id}`, password: '' },
    })
    expect(alias.status).not.toBe(200)
    const body = {
      username: username.toUpperCase(),
      password: 'mat-khau-dai-12',
      phone: '0987000111',
      server_id: '1',
    }
    const registered = await portal.call('POST', '/api/auth/register', { body })
    expect(registered.body.code).toBe('USERNAME_TAKEN')
    expect((await portal.call('GET', '/api/user/deliveries', { token: player.token })).status).toBe(401)
  })

  test('is not paid by late money, which waits for an operator', async () => {
    const late = await aPlayer(portal)
    const order = await anOrder(portal, late)
    await portal.db
      .updateTable('payment_order')
      .set({ status: 'expired' })
      .where('code', '=', order.code)
      .execute()
    await erasePerson(portal.deps, { username: late.username, withBalance: false })
    await deliver(portal, aNotification({ content: order.code }))
    const arrived = await portal.db
      .selectFrom('bank_transaction')
      .select(['state', 'reason'])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    expect(arrived).toEqual({ state: 'review', reason: 'user-deleted' })
    await expectReconciled(portal)
  })
})
