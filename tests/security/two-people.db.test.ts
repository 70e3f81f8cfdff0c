import { beforeAll, expect, test } from 'vitest'
import { grantRole } from '#server/modules/accounts/index.ts'
import { SECRET_PURPOSE } from '#server/modules/second-factor/proofs.service.ts'
import { takeEffect } from '#server/modules/proposals/proposals.service.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useTestApp } from '#tests/support/app.ts'
import {
  anOperator,
  anOperatorWithoutProof,
  openConsole,
  setProof,
  type TestOperator,
} from '#tests/support/operators.ts'
import { contactsOf, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { lastTrailRow } from '#tests/support/trail-rows.ts'

const reason = 'Kiểm tra hai người'
const AMOUNT = 9_000_000

const portal = useTestApp()
let thief: TestOperator
let owner: TestOperator
beforeAll(async () => {
  thief = await anOperator(portal, 'owner')
})

const act = ({ token }: { token: string }, method: 'POST' | 'PUT', path: string, body: object = {}) =>
  portal.call(method, `/api/operator${path}`, { token, body: { reason, ...body } })
const approve = (by: { token: string }, id: string) => act(by, 'POST', `/proposals/${id}/approve`)

const proposed = async (by: { token: string }): Promise<string> => {
  const { id } = await aPlayer(portal)
  return (await act(by, 'POST', `/users/${id}/adjustment`, { amount: AMOUNT })).body.proposal.id as string
}
const makeDue = (id: string) =>
  asOwner(portal, "UPDATE proposal SET takes_effect_at = now() - interval '1 second' WHERE id = $1", [id])
const daysPass = (userId: string, days: number) =>
  asOwner(
    portal,
    'UPDATE user_roles SET granted_at = granted_at - make_interval(days => $2::integer) WHERE user_id = $1',
    [userId, days],
  )

/** An account of the thief's, ready for the console. */
async function anAccount() {
  const player = await aPlayer(portal, { password: 'mat-khau-dai-12' })
  const { recoveryCodes } = await turnOnSecondFactor(portal, player.token)
  return { ...player, codes: recoveryCodes }
}
const accept = (
  { username, password, address }: TestOperator | Awaited<ReturnType<typeof anAccount>>,
  otp: string | undefined,
  link: string,
) =>
  portal.call('POST', '/api/operator/session', {
    from: address,
    body: { username, password, otp, invite: new URL(link).hash.slice(1) },
  })

test('security row 40: the only owner becomes no second one by an invitation: a day, a letter to all, then seven days', async () => {
  const support = await anOperator(portal, 'support')
  await giveVerifiedEmail(portal, support.id, 'ho-tro@thu.test')
  const made = await act(thief, 'POST', '/staff/invites', { role: 'owner' })
  expect([made.status, made.body.proposal.kind]).toEqual([202, 'invite'])
  expect(made.body.proposal.takes_effect_at).not.toBeNull()
  expect(await lettersTo(portal, 'ho-tro@thu.test')).toMatchObject([{ kind: 'proposal-made' }])
  const puppet = await anAccount()
  expect((await accept(puppet, puppet.codes[0], made.body.link)).body.code).toBe('TOKEN_INVALID')
  expect((await approve(thief, made.body.proposal.id)).status).toBe(409)
  expect(await takeEffect(portal.deps)).toBe(false)
  await makeDue(made.body.proposal.id)
  expect(await takeEffect(portal.deps)).toBe(true)
  const opened = await accept(puppet, puppet.codes[1], made.body.link)
  expect(opened.status).toBe(201)
  const token = opened.body.access_token as string
  await setProof(portal, puppet, { isFresh: true })
  expect(
    (await lastTrailRow(portal, { action: 'staff.accept-invite', id: puppet.id }))?.details,
  ).toMatchObject({
    invited_by: thief.id,
    chain: '',
  })

  // Neither approves what the other proposes, nor is either alone a second person for the other.
  const byThief = await proposed(thief)
  expect((await approve({ token }, byThief)).body).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('7 ngày'),
  })
  expect((await approve(thief, await proposed({ token }))).body.code).toBe('CONFLICT')
  const listed = await portal.call('GET', '/api/operator/proposals', { token })
  expect(listed.body.find(({ id }: { id: string }) => id === byThief).takes_effect_at).not.toBeNull()

  // Through a third hand it is the same.
  const next = await act({ token }, 'POST', '/staff/invites', { role: 'owner' })
  await makeDue(next.body.proposal.id)
  expect(await takeEffect(portal.deps)).toBe(true)
  const third = await anAccount()
  const thirdOpened = await accept(third, third.codes[0], next.body.link)
  await setProof(portal, third, { isFresh: true })
  expect((await approve({ token: thirdOpened.body.access_token }, byThief)).body.message).toContain('7 ngày')
  expect(
    (await lastTrailRow(portal, { action: 'staff.accept-invite', id: third.id }))?.details,
  ).toMatchObject({
    invited_by: puppet.id,
    chain: thief.id,
  })

  await daysPass(puppet.id, 7)
  expect((await approve({ token }, byThief)).status).toBe(200)
  for (const { id } of [puppet, third])
    await asOwner(portal, 'DELETE FROM user_roles WHERE user_id = $1', [id])
})

test('security row 40: with another owner, a role that may approve is given by two, by invitation and by role change', async () => {
  owner = await anOperator(portal, 'owner')
  const editor = await anOperator(portal, 'editor')
  for (const roles of [['cashier'], ['editor', 'owner']]) {
    const answer = await act(thief, 'PUT', `/staff/${editor.id}/roles`, { roles })
    expect([answer.status, answer.body.proposal.kind, answer.body.proposal.takes_effect_at]).toEqual([
      202,
      'roles',
      null,
    ])
    expect((await approve(thief, answer.body.proposal.id)).status).toBe(409)
    expect((await act(thief, 'POST', `/proposals/${answer.body.proposal.id}/withdraw`)).status).toBe(200)
  }
  const answer = await act(thief, 'PUT', `/staff/${editor.id}/roles`, { roles: ['owner'] })
  expect((await approve(owner, answer.body.proposal.id)).status).toBe(200)
  expect((await lastTrailRow(portal, { action: 'proposals.approve', id: editor.id }))?.details).toMatchObject(
    {
      before: 'editor',
      after: 'owner',
      proposed_by: thief.id,
      chain: '',
    },
  )
  const byThief = await proposed(thief)
  expect((await approve(editor, byThief)).body.message).toContain('7 ngày')
  // Who agreed to the new owner is not bound to them.
  expect((await approve(editor, await proposed(owner))).status).toBe(200)
  await daysPass(editor.id, 7)
  expect((await approve(editor, byThief)).status).toBe(200)

  const link = await act(thief, 'POST', '/staff/invites', { role: 'cashier' })
  expect([link.status, link.body.proposal.takes_effect_at]).toEqual([202, null])
  expect((await act(thief, 'POST', '/staff/invites', { role: 'support' })).status).toBe(201)
})

test('security row 40: an account that has had the proposer’s phone, or has their codes, is no second person', async () => {
  const [byPhone, byCode] = [
    await anOperatorWithoutProof(portal, 'owner'),
    await anOperatorWithoutProof(portal, 'owner'),
  ]
  for (const one of [byPhone, byCode]) await setProof(portal, one, { isFresh: true })
  const id = await proposed(thief)
  const phone = (await contactsOf(portal, thief.id))?.phone
  await asOwner(
    portal,
    `WITH made AS (SELECT audit_append('system', NULL, 'users.lose-phone', 'user', $1, NULL, '{}'::jsonb, jsonb_build_object('before', $2::text), sha256('x'), NULL)) SELECT FROM made`,
    [byPhone.id, phone],
  )
  expect((await approve(byPhone, id)).body.message).toContain('số điện thoại')

  const secret = await portal.deps.vault.seal(SECRET_PURPOSE, thief.secret)
  await asOwner(portal, 'UPDATE second_factor SET sealed_secret = $2 WHERE user_id = $1', [byCode.id, secret])
  expect((await approve(byCode, id)).body.message).toContain('mã xác thực')
  expect((await approve(owner, id)).status).toBe(200)
})

test('security row 41: acts on an operator’s account take the right to manage operators', async () => {
  const support = await anOperator(portal, 'support')
  const player = await aPlayer(portal)
  for (const name of ['end-sessions', 'send-reset']) {
    expect((await act(support, 'POST', `/users/${owner.id}/${name}`)).status).toBe(403)
    expect((await act(support, 'POST', `/users/${player.id}/${name}`)).status).not.toBe(403)
  }
  expect((await portal.call('GET', '/api/operator/me', { token: owner.token })).status).toBe(200)
  await grantRole(portal.db, { username: player.username, role: 'referee' })
  expect((await act(support, 'POST', `/users/${player.id}/end-sessions`)).status).toBe(403)
  expect((await act(thief, 'POST', `/users/${player.id}/end-sessions`)).status).toBe(200)
})

test('a console opens for nobody by a link that waits, and the link is listed as such', async () => {
  const candidate = await anAccount()
  const made = await act(thief, 'POST', '/staff/invites', { role: 'cashier' })
  expect((await accept(candidate, candidate.codes[0], made.body.link)).body.code).toBe('TOKEN_INVALID')
  const { body } = await portal.call('GET', '/api/operator/staff/invites', { token: thief.token })
  expect(body.some(({ is_waiting }: { is_waiting: boolean }) => is_waiting)).toBe(true)
  // Who got the role in an earlier test has had it for a week, and is asked too.
  expect((await approve(owner, made.body.proposal.id)).body.state).toBe('waiting')
  await makeDue(made.body.proposal.id)
  expect(await takeEffect(portal.deps)).toBe(true)
  expect((await accept(candidate, candidate.codes[1], made.body.link)).status).toBe(201)
  await expect(openConsole(portal, candidate, candidate.codes[2])).resolves.toEqual(expect.any(String))
})
