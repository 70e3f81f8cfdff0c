import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator, anOperatorWithoutProof, stepUp, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'

const portal = useTestApp()
let support: TestOperator
let owner: TestOperator
beforeAll(async () => {
  support = await anOperator(portal, 'support')
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
const lastAudit = (action: string) =>
  portal.db
    .selectFrom('audit_log')
    .leftJoin('audit_personal', 'audit_personal.seq', 'audit_log.seq')
    .select(['actor_id', 'subject_id', 'reason', 'details', 'content as personal'])
    .where('action', '=', action)
    .orderBy('audit_log.seq', 'desc')
    .executeTakeFirst()

async function withEmail(email: string): Promise<TestPlayer> {
  const player = await aPlayer(portal)
  await portal.db.updateTable('user_contacts').set({ email }).where('user_id', '=', player.id).execute()
  return player
}

test('sessions are shown, and ended on all devices at once', async () => {
  const player = await aPlayer(portal)
  expect((await get(`${player.id}/sessions`)).body).toMatchObject([{ kind: 'player', place: 'Mạng nội bộ' }])
  expect((await act('end-sessions', player)).body).toEqual({ ended: 1 })
  const { status } = await portal.call('GET', '/api/user/transactions', { token: player.token })
  expect(status).toBe(401)
  expect((await get(`${player.id}/sessions`)).body).toEqual([])
  expect(await lastAudit('users.end-sessions')).toMatchObject({ actor_id: support.id, subject_id: player.id })
  expect((await act('end-sessions', { id: '999999999' })).status).toBe(404)
})

test('sign-ins are shown, also failed ones, part by part', async () => {
  const player = await aPlayer(portal)
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

test('notes are added and read; the audit trail does not have their words', async () => {
  const player = await aPlayer(portal)
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
  const asked = await act('remove-second-factor', player, { by: first })
  expect([asked.status, asked.body.proposal.kind]).toEqual([202, 'second-factor'])
  expect((await get(player.id)).body.has_second_factor).toBe(true)
  const decide = (by: TestOperator) =>
    portal.call('POST', `/api/operator/proposals/${asked.body.proposal.id}/approve`, {
      token: by.token,
      body: { reason: 'Đã gọi lại người chơi' },
    })
  expect((await decide(first)).body.code).toBe('CONFLICT')
  expect((await decide(second)).status).toBe(200)
  expect((await get(player.id)).body.has_second_factor).toBe(false)
})
