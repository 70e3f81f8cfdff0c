import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { describe, expect, test } from 'vitest'
import { grantRole, revokeRole } from '#server/modules/accounts/index.ts'
import { verifyAndStore } from '#server/modules/audit/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator, anOperatorWithoutProof, openConsole } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'

const portal = useTestApp()
const { owner } = useOperators(portal, { owner: 'owner' })

const setRoles = (id: string, roles: readonly string[], token = owner.token) =>
  portal.call('PUT', `/api/operator/staff/${id}/roles`, { token, body: { roles, reason: 'Phân công' } })

const invite = (role: string, token = owner.token) =>
  portal.call('POST', '/api/operator/staff/invites', { token, body: { role, reason: 'Người mới' } })

const tokenOf = ({ body }: { body: { link: string } }) => new URL(body.link).hash.slice(1)

describe('roles', () => {
  test('take effect at once, in the session that is open', async () => {
    const editor = await anOperator(portal, 'editor')
    const posts = () => portal.call('GET', '/api/operator/posts', { token: editor.token })
    expect((await posts()).status).toBe(200)
    expect((await setRoles(editor.id, ['referee', 'support'])).body).toMatchObject({
      id: editor.id,
      roles: ['referee', 'support'],
      has_second_factor: true,
    })
    expect((await posts()).status).toBe(403)
    const orders = await portal.call('GET', '/api/operator/recharge-orders', { token: editor.token })
    expect(orders.status).toBe(200)
    await setRoles(editor.id, [])
    expect((await portal.call('GET', '/api/operator/me', { token: editor.token })).status).toBe(403)
  })

  test('leave a row with what was before and after', async () => {
    const editor = await anOperator(portal, 'editor')
    await setRoles(editor.id, ['referee'])
    expect(await lastTrailRow(portal, { action: 'staff.set-roles', id: editor.id })).toMatchObject({
      reason: 'Phân công',
      details: { before: { roles: ['editor'] }, after: { roles: ['referee'] } },
    })
    expect((await verifyAndStore(portal.db)).faults).toEqual([])
  })

  test('are changed with fresh proof only', async () => {
    const stale = await anOperatorWithoutProof(portal, 'owner')
    expect((await setRoles(owner.id, ['owner'], stale.token)).body.code).toBe('STEP_UP_REQUIRED')
    expect((await invite('support', stale.token)).body.code).toBe('STEP_UP_REQUIRED')
    await revokeRole(portal.db, { username: stale.username, role: 'owner' })
  })

  test('of the last owner stay, also when two owners remove each other at once', async () => {
    expect((await setRoles(owner.id, ['editor'])).body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('duy nhất'),
    })
    const second = await anOperator(portal, 'owner')
    const approve = (id: string, token: string) =>
      portal.call('POST', `/api/operator/proposals/${id}/approve`, { token, body: { reason: 'Đồng ý' } })
    const [ofSecond, ofFirst] = [
      await setRoles(second.id, ['editor']),
      await setRoles(owner.id, ['editor'], second.token),
    ]
    const answers = await Promise.all([
      approve(ofSecond.body.proposal.id, second.token),
      approve(ofFirst.body.proposal.id, owner.token),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const roles = portal.db.selectFrom('user_roles').select('user_id')
    expect(await roles.where('role', '=', 'owner').execute()).toHaveLength(1)
    // For the tests that follow there is one owner, alone.
    await asOwner(
      portal,
      "UPDATE proposal SET state = 'outdated', decided_at = now() WHERE state = 'waiting'",
      [],
    )
    for (const role of ['owner', 'editor'] as const) {
      await revokeRole(portal.db, { username: second.username, role })
      await revokeRole(portal.db, { username: owner.username, role })
    }
    await grantRole(portal.db, { username: owner.username, role: 'owner' })
  })

  test('of nobody, or that do not exist, are refused', async () => {
    expect((await setRoles('999999999', ['editor'])).status).toBe(404)
    expect((await setRoles(owner.id, ['emperor'])).status).toBe(422)
  })
})

test('the list names holders of roles with how they sign in', async () => {
  const plain = await aPlayer(portal)
  await setRoles(plain.id, ['support'])
  const { body } = await portal.call('GET', '/api/operator/staff', { token: owner.token })
  const of = (id: string) => body.find((member: { id: string }) => member.id === id)
  expect(of(owner.id)).toMatchObject({ has_second_factor: true, last_sign_in_at: expect.any(String) })
  expect(of(plain.id)).toMatchObject({
    username: plain.username,
    roles: ['support'],
    has_second_factor: false,
  })
})

describe('an invitation', () => {
  const aCandidate = async (): Promise<TestPlayer & { codes: string[] }> => {
    const player = await aPlayer(portal, { password: 'mat-khau-dai-12' })
    const { recoveryCodes } = await turnOnSecondFactor(portal, player.token)
    return { ...player, codes: recoveryCodes }
  }
  const open = ({ username, password, address }: TestPlayer, otp: string | undefined, token: string) =>
    portal.call('POST', '/api/operator/session', {
      from: address,
      body: { username, password, otp, invite: token },
    })

  test('gives its role to whoever signs in by it, once', async () => {
    const made = await invite('support')
    expect(made.status).toBe(201)
    expect(made.body.link).toMatch(/\/admin\/invite#[\w-]{43}$/)
    const hours = (Date.parse(made.body.expires_at) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(48)
    const [first, second] = [await aCandidate(), await aCandidate()]
    const opened = await open(first, first.codes[0], tokenOf(made))
    expect(opened.status).toBe(201)
    const me = await portal.call('GET', '/api/operator/me', { token: opened.body.access_token })
    expect(me.body).toMatchObject({ username: first.username, roles: ['support'] })
    const late = await open(second, second.codes[0], tokenOf(made))
    expect(late).toMatchObject({ status: 422, body: { code: 'TOKEN_INVALID' } })
    await expect(openConsole(portal, second, second.codes[1])).rejects.toThrow(/CONFLICT/)
    expect(await lastTrailRow(portal, { action: 'staff.accept-invite' })).toMatchObject({
      actor_id: first.id,
      details: { before: { roles: [] }, after: { roles: ['support'] }, invited_by: owner.id, chain: '' },
    })
  })

  test('counts for nothing without the second factor, and is not used up', async () => {
    const token = tokenOf(await invite('support'))
    const withoutFactor = await aPlayer(portal, { password: 'mat-khau-dai-12' })
    expect((await open(withoutFactor, undefined, token)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    const candidate = await aCandidate()
    expect((await open(candidate, '000000', token)).body.code).toBe('OTP_INVALID')
    expect((await open(candidate, candidate.codes[0], token)).status).toBe(201)
  })

  test('is over after 48 hours', async () => {
    const token = tokenOf(await invite('support'))
    await asOwner(portal, 'UPDATE staff_invite SET expires_at = now() WHERE used_at IS NULL', [])
    const candidate = await aCandidate()
    expect((await open(candidate, candidate.codes[0], token)).body.code).toBe('TOKEN_INVALID')
  })

  test('of somebody who is no owner any more counts for nothing', async () => {
    const leaver = await anOperator(portal, 'owner')
    const token = tokenOf(await invite('support', leaver.token))
    await revokeRole(portal.db, { username: leaver.username, role: 'owner' })
    const candidate = await aCandidate()
    expect((await open(candidate, candidate.codes[0], token)).body.code).toBe('TOKEN_INVALID')
  })

  const openInvites = async () =>
    (await portal.call('GET', '/api/operator/staff/invites', { token: owner.token })).body as { id: string }[]
  const withdraw = (id: string | undefined, reason = 'Gửi nhầm người') =>
    portal.call('DELETE', `/api/operator/staff/invites/${id}`, { token: owner.token, body: { reason } })

  test('is listed while it can be used, without its link, and counts for nothing once it is withdrawn', async () => {
    const before = (await openInvites()).map(({ id }) => id)
    const made = await invite('referee')
    const opened = (await openInvites()).filter(({ id }) => !before.includes(id))
    expect(opened).toEqual([
      {
        id: expect.any(String),
        role: 'referee',
        invited_by: { id: owner.id, username: owner.username },
        created_at: expect.any(String),
        expires_at: made.body.expires_at,
        is_waiting: false,
      },
    ])
    const [one] = opened
    expect((await withdraw(one?.id, '')).status).toBe(422)
    expect(await withdraw(one?.id)).toMatchObject({ status: 200, body: one })
    expect((await openInvites()).map(({ id }) => id)).toEqual(before)
    const candidate = await aCandidate()
    expect((await open(candidate, candidate.codes[0], tokenOf(made))).body.code).toBe('TOKEN_INVALID')
    expect(await lastTrailRow(portal, { action: 'staff.withdraw-invite' })).toMatchObject({
      actor_id: owner.id,
      reason: 'Gửi nhầm người',
      details: { before: { role: 'referee', invited_by: owner.id }, after: null },
    })
    expect((await withdraw(one?.id)).body.code).toBe('CONFLICT')
    expect((await withdraw('999999999')).status).toBe(404)
  })

  test('is used or withdrawn, never both', async () => {
    for (let round = 0; round < 3; round++) {
      const made = await invite('support')
      const id = (await openInvites()).at(-1)?.id
      const candidate = await aCandidate()
      const [used, gone] = await Promise.all([
        open(candidate, candidate.codes[0], tokenOf(made)),
        withdraw(id),
      ])
      expect([
        [201, 409],
        [422, 200],
      ]).toContainEqual([used.status, gone.status])
    }
  })

  test('is stored as a hash', async () => {
    const token = tokenOf(await invite('support'))
    const rows = await portal.db.selectFrom('staff_invite').selectAll().execute()
    const stored = await portal.db.selectFrom('idempotency_key').selectAll().execute()
    expect(JSON.stringify([rows, stored])).not.toContain(token)
    expect(JSON.stringify(await portal.db.selectFrom('audit_log').selectAll().execute())).not.toContain(token)
  })
})
