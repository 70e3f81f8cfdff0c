import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect } from 'vitest'
import { verifyAuditChain } from '#server/modules/audit/audit.service.ts'
import type { ComposedMail } from '#server/modules/mail/mail.client.ts'
import { carryOutDue } from '#server/modules/personal-data/carrying-out.service.ts'
import { erasePerson } from '#server/modules/personal-data/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith, useOperators } from '#tests/support/fixtures.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { dumpDatabase } from '#tests/support/databases.ts'
import {
  aDeletion,
  requestDeletion,
  aPlayer,
  creditPlayer,
  type TestPlayer,
  appCode,
} from '#tests/support/players.ts'
import { sendMailOnce, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { aRichPlayer, mentionsOf, NAMES, openCompany } from '#tests/support/rich-player.ts'
import { trailRows } from '#tests/support/trail-rows.ts'
import { failedWork, retryNow } from '#tests/support/poisoned-row.ts'

const portal = useTestApp()
const test = testWith(portal)
const { owner } = useOperators(portal, { owner: 'owner' })

beforeAll(async () => {
  await openAccounts(portal)
})

const approve = async (id: string, { token } = owner) => {
  const path = `/api/operator/deletion-requests/${id}/carry-out`
  const answer = await portal.call('POST', path, {
    token,
    key: randomUUID(),
    body: { reason: 'Theo yêu cầu' },
  })
  expect([answer.status, answer.body.state]).toEqual([200, 'approved'])
}
const requestOf = (id: string) =>
  portal.db.selectFrom('deletion_request').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const stateOf = async (id: string) => (await requestOf(id)).state
const makeDue = () =>
  portal.db
    .updateTable('deletion_request')
    .set({ next_attempt_at: sql<Date>`now()` })
    .where('state', '=', 'approved')
    .execute()
const withdraw = ({ token }: TestPlayer) => portal.call('DELETE', '/api/user/deletion-request', { token })

/** One that a worker may carry out at once. */
async function anApproved(player: TestPlayer): Promise<string> {
  const id = await aDeletion(portal, player)
  await approve(id)
  return id
}

test('a player who has done everything is named nowhere once their request is carried out, the last mail included', async () => {
  const company = await openCompany(portal)
  const player = await aRichPlayer(portal, company)
  await portal.db.deleteFrom('mail_outbox').execute()
  const otp = appCode(player.secret, 1)
  const { status, body } = await requestDeletion(portal, player, { otp, given_up: 1_000_000 })
  expect(status).toBe(201)
  await approve(body.id, company.owner)

  // The mail server is away: the address is still needed.
  expect(await carryOutDue(portal.deps)).toBe(true)
  expect(await carryOutDue(portal.deps)).toBe(false)
  expect(await stateOf(body.id)).toBe('approved')
  expect((await lettersTo(portal, NAMES.email)).map(({ kind }) => kind)).toEqual([
    'deletion-asked',
    'deletion-begins',
  ])
  const sent: ComposedMail[] = []
  const mailer = { send: async (mail: ComposedMail) => void sent.push(mail) }
  await sendMailOnce({ ...portal.deps, mailer })
  expect(sent.map(({ kind, to }) => `${kind} to ${to}`)).toContain(`deletion-begins to ${NAMES.email}`)

  await makeDue()
  const before = await balanceOf(portal.db, player.walletId)
  expect(before).toBeGreaterThan(0)
  expect(await carryOutDue(portal.deps)).toBe(true)
  expect(await requestOf(body.id)).toMatchObject({
    state: 'carried-out',
    message: null,
    decided_by: company.owner.id,
  })
  const after = await dumpDatabase(portal)
  expect(mentionsOf(player, after)).toEqual([])
  expect(after.get('mail_outbox')?.rows).toEqual([])
  expect(await balanceOf(portal.db, player.walletId)).toBe(0)
  expect((await withdraw(player)).status).toBe(401)
  await expectReconciled(portal)
  expect((await verifyAuditChain(portal.db)).faults).toEqual([])
})

describe('a worker', () => {
  test('sends a request back when something has come up, and names the reason to both sides', async ({
    player,
  }) => {
    const id = await anApproved(player)
    await giveVerifiedEmail(portal, player.id, 'chua.xoa@example.com')
    await anOrder(portal, player)
    expect(await carryOutDue(portal.deps)).toBe(true)
    expect(await requestOf(id)).toMatchObject({
      state: 'waiting',
      hindered_by: { order: 1 },
      decided_by: null,
      next_attempt_at: null,
    })
    const [letter] = await lettersTo(portal, 'chua.xoa@example.com')
    expect([letter?.kind, letter?.paragraphs.at(-1)]).toEqual([
      'deletion-hindered',
      'Còn 1 đơn nạp đang chờ tiền: hủy đơn, hoặc đợi đơn hết hạn.',
    ])
    const shown = await portal.call('GET', `/api/operator/deletion-requests/${id}`, { token: owner.token })
    expect(shown.body).toMatchObject({
      hindered_by: [{ matter: 'order', count: 1 }],
      user: { id: player.id },
    })
    const trail = await trailRows(portal, { action: 'deletion-requests.send-back', id: player.id })
    expect(trail).toMatchObject([{ actor_kind: 'system' }])
    expect(await carryOutDue(portal.deps)).toBe(false)
    expect((await withdraw(player)).status).toBe(200)
  })

  test('takes the coins that were given up, and not one more', async () => {
    const player = await aPlayer(portal, { coins: 500 })
    const { body } = await requestDeletion(portal, player, { given_up: 500 })
    await approve(body.id)
    await creditPlayer(portal, player, 1)
    await carryOutDue(portal.deps)
    expect(await requestOf(body.id)).toMatchObject({ state: 'waiting', hindered_by: { balance: 501 } })
    expect(await balanceOf(portal.db, player.walletId)).toBe(501)
    expect((await withdraw(player)).status).toBe(200)
    const again = await requestDeletion(portal, player, { given_up: 501 })
    await approve(again.body.id)
    await carryOutDue(portal.deps)
    expect(await stateOf(again.body.id)).toBe('carried-out')
    expect(await balanceOf(portal.db, player.walletId)).toBe(0)
    await expectReconciled(portal)
  })

  test('has a request to itself: a second one passes it over, and its player cannot withdraw it', async ({
    player,
  }) => {
    const id = await anApproved(player)
    const held = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const first = carryOutDue({
      ...portal.deps,
      deletionPausePoint: async (point) => {
        if (point !== 'locked') return
        reached.resolve()
        await held.promise
      },
    })
    await reached.promise
    expect(await carryOutDue(portal.deps)).toBe(false)
    const refused = await withdraw(player)
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
    held.resolve()
    expect(await first).toBe(true)
    expect(await stateOf(id)).toBe('carried-out')
  })

  test('that fails in the middle leaves everything as it was, and it is tried again later', async ({
    player,
  }) => {
    const id = await anApproved(player)
    const before = (await dumpDatabase(portal)).get('users')
    const broken = async (point: 'locked' | 'erased') => {
      if (point === 'erased') throw new Error('the disk is full')
    }
    expect(await carryOutDue({ ...portal.deps, deletionPausePoint: broken })).toBe(false)
    expect((await dumpDatabase(portal)).get('users')).toEqual(before)
    expect(await requestOf(id)).toMatchObject({ state: 'approved', attempt: 1 })
    expect(await carryOutDue(portal.deps)).toBe(false)
    expect(portal.logged()).toContain('"deletion.failed"')
    expect(await failedWork(portal)).toMatchObject([{ job: 'deletion requests', subject: id }])
    await retryNow(portal)
    expect(await carryOutDue(portal.deps)).toBe(true)
    expect(await stateOf(id)).toBe('carried-out')
  })

  test('that is killed before the end leaves nothing behind, and the next one erases once', async ({
    player,
  }) => {
    const id = await anApproved(player)
    const before = (await dumpDatabase(portal)).get('users')
    const kill = async (point: 'locked' | 'erased') => {
      if (point !== 'erased') return
      await sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND usename = current_user
           AND state = 'idle in transaction'`.execute(portal.db)
    }
    expect(await carryOutDue({ ...portal.deps, deletionPausePoint: kill })).toBe(false)
    expect((await dumpDatabase(portal)).get('users')).toEqual(before)
    expect(await stateOf(id)).toBe('approved')
    await retryNow(portal)
    expect(await carryOutDue(portal.deps)).toBe(true)
    expect(await stateOf(id)).toBe('carried-out')
    expect(await trailRows(portal, { action: 'users.erase', id: player.id })).toHaveLength(1)
  })

  test('leaves a request alone that was withdrawn', async ({ player }) => {
    const id = await anApproved(player)
    expect((await withdraw(player)).status).toBe(200)
    expect(await carryOutDue(portal.deps)).toBe(false)
    expect(await stateOf(id)).toBe('withdrawn')
  })
})

test('portal erase carries out the request that is open', async ({ player }) => {
  const id = await aDeletion(portal, player)
  await erasePerson(portal.deps, { username: player.username, withBalance: false })
  expect(await requestOf(id)).toMatchObject({ state: 'carried-out', decided_by: null })
})
