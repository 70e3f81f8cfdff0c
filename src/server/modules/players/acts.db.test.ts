import { beforeAll, expect, describe, afterEach, beforeEach } from 'vitest'
import { COINS_MAX } from '#contract/fields.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith, useOperators } from '#tests/support/fixtures.ts'
import {
  aNotification,
  anOrder,
  balanceOf,
  deliver,
  openAccounts,
  forgetLimited,
} from '#tests/support/bank.ts'
import { giveEmail } from '#tests/support/mail.ts'
import { anOperator, anOperatorWithoutProof, stepUp, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { setSetting } from '#tests/support/settings.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { lastTrailRow } from '#tests/support/trail-rows.ts'

const portal = useTestApp()
const test = testWith(portal)

describe('help', () => {
  let owner: TestOperator
  const { support } = useOperators(portal, { support: 'support' })
  beforeAll(async () => {
    owner = await anOperatorWithoutProof(portal, 'owner')
  })

  const act = (
    name: string,
    { id }: { id: string },
    { by = support, ...body }: { by?: TestOperator; note?: string } = {},
  ) =>
    portal.call('POST', `/api/operator/users/${id}/${name}`, {
      token: by.token,
      body: { reason: 'Người chơi nhờ giúp', ...body },
    })
  const get = (path: string) => portal.call('GET', `/api/operator/users/${path}`, { token: support.token })
  const lastAudit = (action: string) => lastTrailRow(portal, { action })

  async function withEmail(email: string): Promise<TestPlayer> {
    const player = await aPlayer(portal)
    await giveEmail(portal, player, email)
    return player
  }

  test('sessions are shown, and ended on all devices at once', async ({ player }) => {
    expect((await get(`${player.id}/sessions`)).body).toMatchObject([
      { kind: 'player', place: 'Mạng nội bộ' },
    ])
    expect((await act('end-sessions', player)).body).toEqual({ ended: 1 })
    const { status } = await portal.call('GET', '/api/user/transactions', { token: player.token })
    expect(status).toBe(401)
    expect((await get(`${player.id}/sessions`)).body).toEqual([])
    expect(await lastAudit('users.end-sessions')).toMatchObject({
      actor_id: support.id,
      subject_id: player.id,
    })
    expect((await act('end-sessions', { id: '999999999' })).status).toBe(404)
  })

  test('sign-ins are shown, also failed ones, part by part', async ({ player }) => {
    await portal.db
      .insertInto('sign_in')
      .values(
        Array.from({ length: 40 }, () => ({
          user_id: player.id,
          outcome: 'wrong-password',
          user_agent: '',
          place: 'VN',
          origin_hash: Buffer.alloc(32),
          is_new_device: false,
        })),
      )
      .execute()
    const first = (await get(`${player.id}/sign-ins`)).body
    const rest = (await get(`${player.id}/sign-ins?before=${first.next}`)).body
    expect([first.rows.length, rest.rows.length, rest.next]).toEqual([30, 11, null])
    expect(first.rows[0]).toMatchObject({ outcome: 'wrong-password', place: 'Việt Nam' })
    expect(rest.rows.at(-1)).toMatchObject({ outcome: 'succeeded' })
  })

  test('the link for a new password is mailed; the operator sees neither link nor address', async () => {
    const player = await withEmail('hoang.tuan@example.com')
    const answer = await act('send-reset', player)
    expect([answer.status, answer.body]).toEqual([200, { sent_to: 'h***@example.com' }])
    const mails = await portal.db.selectFrom('mail_outbox').select('id').execute()
    expect(mails.length).toBeGreaterThan(0)
    const link = await portal.db
      .selectFrom('password_reset')
      .select('user_id')
      .where('user_id', '=', player.id)
      .execute()
    expect(link).toHaveLength(1)
    const audit = await lastAudit('users.send-reset')
    expect(JSON.stringify([audit?.details, audit?.reason])).not.toContain('hoang.tuan')
    expect(audit?.personal).toEqual({ email: 'hoang.tuan@example.com' })
    expect((await act('send-reset', await aPlayer(portal))).body.code).toBe('CONFLICT')
  })

  test('notes are added and read; the audit trail does not have their words', async ({ player }) => {
    const added = await act('notes', player, { note: '  Anh Tuấn gọi từ 0912345678  ' })
    expect([added.status, added.body]).toMatchObject([
      201,
      { text: 'Anh Tuấn gọi từ 0912345678', author: { username: support.username } },
    ])
    await act('notes', player, { note: '<script>alert(1)</script>' })
    const { rows, next } = (await get(`${player.id}/notes`)).body
    expect([rows.map(({ text }: { text: string }) => text), next]).toEqual([
      ['<script>alert(1)</script>', 'Anh Tuấn gọi từ 0912345678'],
      null,
    ])
    expect(JSON.stringify(await lastAudit('users.note'))).not.toContain('script')
    expect((await act('notes', player, { note: ' ' })).status).toBe(422)
  })

  test('contacts are shown whole only with fresh proof, and the audit trail names none of them', async () => {
    const player = await withEmail('tham.lan@example.com')
    expect((await act('reveal-contact', player, { by: owner })).body.code).toBe('STEP_UP_REQUIRED')
    await stepUp(portal, owner)
    const answer = await act('reveal-contact', player, { by: owner })
    expect(answer.body).toEqual({ email: 'tham.lan@example.com', phone: expect.stringMatching(/^84\d{9}$/) })
    const audit = await lastAudit('users.reveal-contact')
    expect(audit).toMatchObject({ actor_id: owner.id, subject_id: player.id, reason: 'Người chơi nhờ giúp' })
    expect(JSON.stringify([audit?.details, audit?.personal])).not.toMatch(/tham|84\d{9}/)
    const stored = await portal.db.selectFrom('idempotency_key').select('response').execute()
    expect(JSON.stringify(stored)).not.toContain('tham.lan')
  })

  test('a second factor is taken away by two people', async () => {
    const first = await anOperator(portal, 'owner')
    const second = await anOperator(portal, 'owner')
    const player = await aPlayer(portal)
    expect((await act('remove-second-factor', player, { by: first })).body.code).toBe('CONFLICT')
    await turnOnSecondFactor(portal, player.token)
    const stale = await anOperatorWithoutProof(portal, 'owner')
    expect((await act('remove-second-factor', player, { by: stale })).body.code).toBe('STEP_UP_REQUIRED')
    const proposed = await act('remove-second-factor', player, { by: first })
    expect([proposed.status, proposed.body.proposal.kind]).toEqual([202, 'second-factor'])
    expect((await get(player.id)).body.has_second_factor).toBe(true)
    const decide = (by: TestOperator) =>
      portal.call('POST', `/api/operator/proposals/${proposed.body.proposal.id}/approve`, {
        token: by.token,
        body: { reason: 'Đã gọi lại người chơi' },
      })
    expect((await decide(first)).body.code).toBe('CONFLICT')
    expect((await decide(second)).status).toBe(200)
    expect((await get(player.id)).body.has_second_factor).toBe(false)
  })
})

describe('an adjustment', () => {
  let owner: TestOperator
  let second: TestOperator

  beforeAll(async () => {
    owner = await anOperator(portal, 'owner')
    second = await anOperator(portal, 'owner')
    await openAccounts(portal)
    await setSetting(portal, 'manual_credit_limit', '100000')
  })
  beforeEach(() => forgetLimited(portal))
  afterEach(() => expectReconciled(portal))

  const adjust = (
    player: TestPlayer,
    amount: unknown,
    { by = owner, key }: { by?: TestOperator; key?: string } = {},
  ) =>
    portal.call('POST', `/api/operator/users/${player.id}/adjustment`, {
      token: by.token,
      body: { amount, reason: 'Bù lỗi giao hàng' },
      ...(key === undefined ? {} : { key }),
    })
  const decide = (act: string, id: string, by: TestOperator) =>
    portal.call('POST', `/api/operator/proposals/${id}/${act}`, {
      token: by.token,
      body: { reason: 'Đã kiểm tra' },
    })
  const auditOf = (player: TestPlayer) =>
    portal.db
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'reason', 'details'])
      .where('subject_id', '=', player.id)
      .where('action', 'in', ['users.adjust', 'proposals.propose', 'proposals.approve'])
      .orderBy('seq')
      .execute()

  test('adds and takes away, each with its ledger transfer and its row in the audit trail', async () => {
    const player = await aPlayer(portal, { coins: 1_000 })
    expect((await adjust(player, 500)).body).toEqual({ balance: 1_500, debt: 0 })
    expect((await adjust(player, -300)).body).toEqual({ balance: 1_200, debt: 0 })
    expect(await balanceOf(portal, player)).toBe(1_200)
    const posted = await portal.db
      .selectFrom('ledger_transfer as moved')
      .innerJoin('ledger_account as debit', 'debit.id', 'moved.debit_account')
      .innerJoin('ledger_account as credit', 'credit.id', 'moved.credit_account')
      .select([
        'amount',
        'debit.kind as from',
        'credit.kind as to',
        'credit.id as credited',
        'debit.id as debited',
      ])
      .select('actor_operator_id')
      .where('moved.kind', '=', 'adjustment')
      .where('source_type', '=', 'adjustment')
      .orderBy('moved.id')
      .execute()
    expect(posted).toMatchObject([
      { amount: '500', from: 'adjustment', credited: player.walletId, actor_operator_id: owner.id },
      { amount: '300', debited: player.walletId, to: 'adjustment' },
    ])
    expect(await auditOf(player)).toMatchObject([
      {
        action: 'users.adjust',
        actor_id: owner.id,
        reason: 'Bù lỗi giao hàng',
        details: { amount: 500, before: { balance: 1_000, debt: 0 }, after: { balance: 1_500, debt: 0 } },
      },
      { details: { amount: -300, after: { balance: 1_200, debt: 0 } } },
    ])
  })

  test('takes no more than the wallet holds, and the refusal names that', async () => {
    const player = await aPlayer(portal, { coins: 1_000 })
    const answer = await adjust(player, -1_001)
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'INSUFFICIENT_BALANCE', errors: { amount: ['Ví chỉ còn 1,000 TCoin'] } },
    ])
    expect((await adjust(player, -1_000)).body).toEqual({ balance: 0, debt: 0 })
  })

  test('adds no more than a wallet counts exactly', async () => {
    const player = await aPlayer(portal, { coins: 1 })
    const answer = await adjust(player, COINS_MAX)
    expect([answer.status, answer.body.errors]).toEqual([422, { amount: ['Số dư sau điều chỉnh quá lớn'] }])
  })

  test('what is added pays a debt first', async ({ player }) => {
    const { code } = await anOrder(portal, player)
    await deliver(portal, aNotification({ content: code }))
    await adjust(player, -30_000)
    await forgetLimited(portal)
    await takeBackRecharge(player)
    await forgetLimited(portal)
    expect((await adjust(player, 10_000)).body).toEqual({ balance: 0, debt: 20_000 })
    expect((await adjust(player, 25_000)).body).toEqual({ balance: 5_000, debt: 0 })
  })

  async function takeBackRecharge(player: TestPlayer): Promise<void> {
    const transfer = await portal.db
      .selectFrom('bank_transaction')
      .select('id')
      .where('user_id', '=', player.id)
      .executeTakeFirstOrThrow()
    const answer = await portal.call('POST', `/api/operator/bank-transfers/${transfer.id}/reverse-credit`, {
      token: owner.token,
      body: { reason: 'Ngân hàng thu hồi' },
    })
    expect([answer.status, answer.body.lent]).toEqual([200, 30_000])
  }

  test.each([0, 1.5, '100', null, 9_000_000_000_000_001])('an amount of %o is refused', async (amount) => {
    const answer = await adjust(await aPlayer(portal), amount)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['amount']])
  })

  test('only with fresh proof, for others, and once for a key', async ({ player }) => {
    const stale = await anOperatorWithoutProof(portal, 'owner')
    expect((await adjust(player, 5, { by: stale })).body.code).toBe('STEP_UP_REQUIRED')
    expect((await adjust({ ...player, id: owner.id }, 5)).body.code).toBe('CONFLICT')
    expect((await adjust({ ...player, id: '999999999' }, 5)).status).toBe(404)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => adjust(player, 5, { key: `once ${player.id}` })),
    )
    expect(answers.map(({ body }) => body)).toEqual(
      Array.from({ length: 8 }, () => ({ balance: 5, debt: 0 })),
    )
    expect((await adjust(player, 6, { key: `once ${player.id}` })).body.code).toBe('KEY_REUSED')
    expect(await balanceOf(portal, player)).toBe(5)
  })

  test('of many at once each sees the balance that the one before it left', async ({ player }) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => adjust(player, 1)))
    const balances = answers.map(({ body }) => body.balance as number).sort((one, other) => one - other)
    expect(balances).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  test.each([100_001, -100_001])('above the limit (%i) a second person decides', async (amount) => {
    const player = await aPlayer(portal, { coins: 500_000 })
    const answer = await adjust(player, amount)
    expect([answer.status, answer.body]).toMatchObject([
      202,
      {
        proposal: {
          kind: 'adjustment',
          subject: player.id,
          subject_name: player.username,
          payload: { after: String(amount) },
          state: 'waiting',
        },
      },
    ])
    expect(await balanceOf(portal, player)).toBe(500_000)
    const { id } = answer.body.proposal
    expect((await adjust(player, amount)).body.code).toBe('CONFLICT')
    expect((await decide('approve', id, owner)).body.code).toBe('CONFLICT')
    expect((await decide('approve', id, second)).status).toBe(200)
    expect((await decide('approve', id, second)).body.code).toBe('CONFLICT')
    expect(await balanceOf(portal, player)).toBe(500_000 + amount)
    expect(await auditOf(player)).toMatchObject([
      { action: 'proposals.propose', actor_id: owner.id },
      { action: 'proposals.approve', actor_id: second.id, details: { after: String(amount) } },
    ])
    const { rows } = (
      await portal.call('GET', `/api/operator/users/${player.id}/trail`, { token: owner.token })
    ).body
    expect(rows.map(({ what }: { what: string }) => what)).toEqual(
      expect.arrayContaining(['proposals.propose adjustment', 'proposals.approve adjustment', 'adjustment']),
    )
  })

  test('an approved adjustment that the wallet no longer holds is refused and can be rejected', async () => {
    const player = await aPlayer(portal, { coins: 200_000 })
    const { id } = (await adjust(player, -150_000)).body.proposal
    await adjust(player, -100_000)
    expect((await decide('approve', id, second)).body.code).toBe('CONFLICT')
    expect(await balanceOf(portal, player)).toBe(100_000)
    expect((await decide('reject', id, second)).body.state).toBe('rejected')
  })

  test('of two approvals at once one adjusts', async () => {
    const third = await anOperator(portal, 'owner')
    const player = await aPlayer(portal)
    const { id } = (await adjust(player, 150_000)).body.proposal
    const answers = await Promise.all([decide('approve', id, second), decide('approve', id, third)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await balanceOf(portal, player)).toBe(150_000)
  })

  test('a role without the permission neither proposes nor sees what was proposed', async ({ player }) => {
    const [cashier, editor] = [await anOperator(portal, 'cashier'), await anOperator(portal, 'editor')]
    expect((await adjust(player, 5, { by: cashier })).status).toBe(403)
    const listed = await portal.call('GET', '/api/operator/proposals', { token: cashier.token })
    expect([listed.status, listed.body]).toEqual([200, []])
    expect((await portal.call('GET', '/api/operator/proposals', { token: editor.token })).status).toBe(403)
  })
})
