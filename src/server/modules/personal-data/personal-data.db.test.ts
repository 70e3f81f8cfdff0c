import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { dumpDatabase } from '#tests/support/databases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer, appCode, turnOnSecondFactor, send } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { erasePerson, StillOpen, exportPerson } from './index.ts'

const portal = useTestApp()
const test = testWith(portal)

const refusal = async (username: string, withBalance = false) => {
  const error: unknown = await erasePerson(portal.deps, { username, withBalance }).catch(
    (thrown: unknown) => thrown,
  )
  return error instanceof StillOpen ? error.matters : error
}

describe('an erasure is refused', () => {
  test('while money is open, and changes nothing', async () => {
    await openAccounts(portal)
    const buyer = await aPlayer(portal, { coins: 30_000, isActivated: true })
    const [character] = await charactersOf(portal, buyer)
    await buyLuongFor(portal, { player: buyer, character: character as string })
    await anOrder(portal, buyer)
    const read = await dumpDatabase(portal)
    expect(await refusal(buyer.username)).toEqual({ balance: 20_000, order: 1, delivery: 1 })
    expect(await refusal(buyer.username, true)).toEqual({ order: 1, delivery: 1 })
    expect(await dumpDatabase(portal)).toEqual(read)
  })

  test('for an operator, and for a name that nobody has', async ({ owner }) => {
    expect(await refusal(owner.username)).toEqual({ role: 1 })
    expect(await refusal('khongcoai')).toMatchObject({ code: 'NOT_FOUND' })
  })
})

test('an erasure holds the house’s account and the trail for four statements, whatever there is to erase', async () => {
  const { username } = await aPlayer(portal, { coins: 10_000 })
  const sent = await statementsOf(() => erasePerson(portal.deps, { username, withBalance: true }))
  const posting = sent.findIndex((text) => text.includes('ledger_post'))
  expect(posting).toBeGreaterThan(50)
  expect(sent.slice(posting).map((text) => /ledger_post|audit_\w+|commit/.exec(text)?.[0] ?? text)).toEqual([
    'ledger_post',
    'audit_append',
    'audit_erase_personal_of',
    'commit',
  ])
})

describe('an erased account', () => {
  test('gets no row that names somebody, also by a request that was under way', async () => {
    const { id, username } = await aPlayer(portal)
    const session = () =>
      portal.db
        .insertInto('sessions')
        .values({ user_id: id, token_hash: randomBytes(32), user_agent: 'x', expires_at: new Date() })
        .execute()
    await session()
    const meanwhile = await inTransaction(portal.db, async (tx) => {
      await sql`SELECT erase_user(${id}::bigint)`.execute(tx)
      // Waits for this transaction.
      const waiting = session().catch((error: unknown) => error)
      await sleep(200)
      return { waiting }
    })
    expect(await meanwhile.waiting).toMatchObject({ message: `user ${id} was erased` })
    const device = { user_id: id, kind: 'cookie', hash: randomBytes(32) }
    await expect(portal.db.insertInto('known_device').values(device).execute()).rejects.toThrow(/was erased/)
    expect(await refusal(username)).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('gets no TCoin from players or operators, as fast as they may be', async () => {
    const payer = await aPlayer(portal, { coins: 10_000, isActivated: true })
    const gone = await aPlayer(portal)
    const [, answer] = await Promise.all([
      erasePerson(portal.deps, { username: gone.username, withBalance: true }),
      send(portal, payer, { payee: gone.username, amount: 1_000 }),
    ])
    // Either the transfer came first and was taken away with the rest, or there is no such payee.
    expect([200, 422]).toContain(answer.status)
    expect(await balanceOf(portal.db, gone.walletId)).toBe(0)
    const owner = await anOperator(portal, 'owner')
    const adjusted = await portal.call('POST', `/api/operator/users/${gone.id}/adjustment`, {
      token: owner.token,
      body: { amount: 100, reason: 'Bù cho sự cố' },
    })
    expect([adjusted.status, adjusted.body.code]).toEqual([409, 'CONFLICT'])
    await expectReconciled(portal)
  })
})

test('the portal’s role cannot erase what names others', async () => {
  const { id } = await aPlayer(portal)
  const query = (text: string) => portal.db.executeQuery({ sql: text, parameters: [] } as never)
  await expect(query(`SELECT audit_erase_personal_of(${id}, '{}')`)).rejects.toThrow(/was not erased/)
  await expect(query(`UPDATE users SET username = 'nguoikhac1' WHERE id = ${id}`)).rejects.toThrow(
    /permission denied/,
  )
  await expect(query(`UPDATE delivery SET account = 'da-xoa'`)).rejects.toThrow(/permission denied/)
})

describe('the download of own data', () => {
  const download = ({ token, password }: TestPlayer, body: object = {}) =>
    portal.call('POST', '/api/user/personal-data', { token, body: { current_password: password, ...body } })

  const ownActs = async ({ id }: TestPlayer) => {
    const acts = portal.db
      .selectFrom('audit_log')
      .select(['action', 'actor_kind', 'subject_id'])
      .where('actor_id', '=', id)
    return (await acts.execute()).filter(({ action }) => action === 'users.export-own-data')
  }

  test('a player downloads what portal export writes, as a file that nobody stores', async ({ player }) => {
    let text = ''
    const now = new Date()
    for await (const piece of await exportPerson({ db: portal.db, now }, player.username)) text += piece
    const { status, headers, body } = await download(player)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="du-lieu-ca-nhan-\d{4}-\d\d-\d\d\.json"$/,
      ),
    })
    const { exported_at: _, acts_of_the_player, ...written } = JSON.parse(text)
    expect(body).toMatchObject(written)
    expect(body.account).toMatchObject([{ username: player.username }])
    // The download itself is recorded before the list is read.
    expect(acts_of_the_player).toHaveLength(body.acts_of_the_player.length - 1)
    expect(await ownActs(player)).toEqual([
      { action: 'users.export-own-data', actor_kind: 'user', subject_id: player.id },
    ])
  })

  test('the password is needed, and a code where the second factor is on; each code counts once', async ({
    player,
  }) => {
    const wrong = await download(player, { current_password: 'sai-mat-khau' })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'INVALID_CREDENTIALS'])
    expect(wrong.body.errors).toHaveProperty('current_password')
    const { secret } = await turnOnSecondFactor(portal, player.token)
    expect((await download(player)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await download(player, { otp: '000000' })).body.code).toBe('OTP_INVALID')
    expect(await ownActs(player)).toEqual([])
    const otp = appCode(secret, 1)
    expect((await download(player, { otp })).status).toBe(200)
    expect((await download(player, { otp })).body.code).toBe('OTP_INVALID')
    expect(await ownActs(player)).toHaveLength(1)
  })

  test('wrong passwords are counted together with those of a change of password', async ({ player }) => {
    for (let guess = 0; guess < 10; guess++)
      expect((await download(player, { current_password: 'sai-mat-khau' })).status).toBe(422)
    expect((await download(player)).status).toBe(429)
    const body = { current_password: player.password, password: 'mat-khau-moi-12' }
    const changed = await portal.call('POST', '/api/user/change-password', { token: player.token, body })
    expect(changed.status).toBe(429)
  })

  test('five downloads a day are enough', async ({ player }) => {
    for (let one = 0; one < 5; one++) expect((await download(player)).status).toBe(200)
    const refused = await download(player)
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED'])
    expect(await ownActs(player)).toHaveLength(5)
  })
})
