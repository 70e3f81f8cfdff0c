import { expect, test } from 'vitest'
import { grantRole, revokeRole } from '#server/modules/accounts/index.ts'
import { takeEffect } from '#server/modules/proposals/proposals.service.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator, openConsole, setProof, type TestOperator } from '#tests/support/operators.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { changeSettings, readSetting } from '#tests/support/settings.ts'

const reason = 'Kiểm tra thu vai trò'

/** Owners A, B and C of one portal, each with an address that letters reach. */
async function threeOwners() {
  const portal = await startTestApp()
  const [a, b, c] = [
    await anOperator(portal, 'owner'),
    await anOperator(portal, 'owner'),
    await anOperator(portal, 'owner'),
  ]
  for (const one of [a, b, c]) await giveVerifiedEmail(portal, one.id, mailOf(one))
  return { portal, a, b, c, ...actsOf(portal) }
}

const mailOf = ({ username }: TestOperator) => `${username}@thu.test`

const actsOf = (portal: TestApp) => {
  const act = (by: { token: string }, method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}) =>
    portal.call(method, `/api/operator${path}`, { token: by.token, body: { reason, ...body } })
  const decide = (by: { token: string }, decision: string, id: string) =>
    act(by, 'POST', `/proposals/${id}/${decision}`)
  const setRoles = (by: { token: string }, of: { id: string }, roles: readonly string[]) =>
    act(by, 'PUT', `/staff/${of.id}/roles`, { roles })
  const rolesOf = async (id: string) =>
    (await portal.db.selectFrom('user_roles').select('role').where('user_id', '=', id).execute()).map(
      ({ role }) => role,
    )
  /** Proposes another price, and answers the proposal. */
  const proposePrice = async (by: { token: string }) => {
    const answer = await changeSettings(portal, { token: by.token, values: { recharge_rate: '100' }, reason })
    return (answer.body as { proposals: { id: string; takes_effect_at: string | null }[] }).proposals[0] as {
      id: string
      takes_effect_at: string | null
    }
  }
  const kindsTo = async (one: TestOperator) => (await lettersTo(portal, mailOf(one))).map(({ kind }) => kind)
  const daysPass = (userId: string, days: number) =>
    asOwner(
      portal,
      'UPDATE former_role SET taken_at = taken_at - make_interval(days => $2::integer) WHERE user_id = $1',
      [userId, days],
    )
  /** One agrees, the others refuse nothing, and the day passes. */
  const agree = async (by: { token: string }, id: string) => {
    const { status, body } = await decide(by, 'approve', id)
    expect([status, body.state]).toEqual([200, 'waiting'])
    await asOwner(portal, "UPDATE proposal SET takes_effect_at = now() - interval '1 second' WHERE id = $1", [
      id,
    ])
    expect(await takeEffect(portal.deps)).toBe(true)
  }
  return { act, decide, agree, setRoles, rolesOf, proposePrice, kindsTo, daysPass }
}

test('security row 40: one owner of three takes no role that may approve, and all are told who wanted to', async () => {
  const { portal, a, b, c, setRoles, rolesOf, decide, kindsTo } = await threeOwners()
  try {
    const answers = [await setRoles(a, b, []), await setRoles(a, c, ['support'])]
    expect(answers.map(({ status, body }) => [status, body.proposal?.kind])).toEqual([
      [202, 'roles'],
      [202, 'roles'],
    ])
    for (const { body } of answers) {
      expect(body.proposal.takes_effect_at).toBeNull()
      expect((await decide(a, 'approve', body.proposal.id)).status).toBe(409)
    }
    expect([await rolesOf(b.id), await rolesOf(c.id)]).toEqual([['owner'], ['owner']])
    for (const one of [a, b, c]) expect(await kindsTo(one)).toEqual(['proposal-made', 'proposal-made'])
    // Whom it is about may refuse it.
    expect((await decide(b, 'reject', answers[0]?.body.proposal.id)).status).toBe(200)
    expect((await decide(b, 'reject', answers[1]?.body.proposal.id)).status).toBe(200)
  } finally {
    await portal.close()
  }
})

test('security row 40: whose role two took away still counts, hears and refuses for seven days', async () => {
  const { portal, a, b, c, act, setRoles, rolesOf, decide, agree, proposePrice, kindsTo, daysPass } =
    await threeOwners()
  try {
    const taken = await setRoles(a, b, [])
    await agree(c, taken.body.proposal.id)
    expect(await rolesOf(b.id)).toEqual([])
    expect(await kindsTo(b)).toEqual(['proposal-made', 'proposal-agreed', 'proposal-done'])
    const byC = await setRoles(a, c, ['editor'])
    // B still may not approve, and still may refuse.
    expect((await decide(b, 'approve', byC.body.proposal.id)).status).toBe(403)
    await agree(c, byC.body.proposal.id)

    // A is the only owner now, and not alone.
    const price = await proposePrice(a)
    expect(price.takes_effect_at).toBeNull()
    expect(await takeEffect(portal.deps)).toBe(false)
    for (const one of [b, c]) expect((await kindsTo(one)).at(-1)).toBe('proposal-made')
    for (const one of [b, c]) {
      const token = await openConsole(portal, one, await recoveryCode(portal, one))
      await setProof(portal, one, { isFresh: true })
      const seen = await portal.call('GET', '/api/operator/proposals?filter={"state":"waiting"}', { token })
      expect(seen.body.map(({ id }: { id: string }) => id)).toEqual([price.id])
      const me = await portal.call('GET', '/api/operator/me', { token })
      expect(me.body.permissions).toContain('proposals.stop')
      expect((await act({ token }, 'POST', `/users/${a.id}/adjustment`, { amount: 5 })).status).toBe(403)
      expect((await decide({ token }, 'approve', price.id)).status).toBe(403)
    }
    // Nor can they be kept out of the console.
    const ban = { scope: 'sign-in', until: null }
    expect((await act(a, 'POST', `/users/${b.id}/ban`, ban)).body.code).toBe('CONFLICT')
    const many = await act(a, 'POST', '/users/ban', { ...ban, ids: [b.id, c.id] })
    expect(many.body.results.map(({ status }: { status: string }) => status)).toEqual(['refused', 'refused'])
    expect((await decide(b, 'reject', price.id)).status).toBe(200)
    expect((await readSetting(portal, a.token, 'recharge_rate')).value).toBe('1')

    for (const one of [b, c]) await daysPass(one.id, 7)
    const later = await proposePrice(a)
    expect(later.takes_effect_at).not.toBeNull()
    expect((await decide(b, 'reject', later.id)).status).toBe(403)
    expect((await act(a, 'POST', `/users/${b.id}/ban`, ban)).status).toBe(200)
  } finally {
    await portal.close()
  }
})

/** Another recovery code, since each opens one session. */
async function recoveryCode(portal: TestApp, one: TestOperator): Promise<string> {
  await asOwner(portal, 'DELETE FROM second_factor WHERE user_id = $1', [one.id])
  const login = await portal.call('POST', '/api/auth/login', {
    from: one.address,
    body: { username: one.username, password: one.password },
  })
  const { recoveryCodes } = await turnOnSecondFactor(portal, login.body.access_token as string)
  return recoveryCodes[0] as string
}

test('security row 40: a role taken and given again, or another one, makes nobody the giver’s own', async () => {
  const { portal, a, b, c, setRoles, decide, agree, proposePrice } = await threeOwners()
  try {
    // All three have had their role for a month.
    await asOwner(portal, "UPDATE user_roles SET granted_at = now() - interval '30 days'", [])
    for (const roles of [['owner', 'cashier'], ['cashier'], ['owner']]) {
      const change = await setRoles(a, b, roles)
      await agree(c, change.body.proposal.id)
    }
    const price = await proposePrice(a)
    expect((await decide(b, 'approve', price.id)).status).toBe(200)
    // Who never held it before is bound to the giver.
    const { id } = await aPlayer(portal)
    const given = await setRoles(a, { id }, ['owner'])
    expect((await decide(c, 'approve', given.body.proposal.id)).status).toBe(200)
  } finally {
    await portal.close()
  }
})

test('security row 40: an owner who took the others’ roles with a second person’s help is not alone', async () => {
  const { portal, a, b, c, setRoles, decide, agree } = await threeOwners()
  try {
    const taken = await setRoles(a, b, ['referee'])
    await agree(c, taken.body.proposal.id)
    // Giving another role does not take the seven days away.
    expect((await setRoles(a, b, ['support'])).status).toBe(200)
    const next = await setRoles(a, c, [])
    expect(next.body.proposal.takes_effect_at).toBeNull()
    expect((await decide(b, 'reject', next.body.proposal.id)).status).toBe(200)
  } finally {
    await portal.close()
  }
})

test('security row 40: ending an approver’s sessions again and again does not keep them from refusing', async () => {
  const { portal, a, b, act } = await threeOwners()
  try {
    const answers = []
    for (let i = 0; i < 5; i += 1) answers.push((await act(a, 'POST', `/users/${b.id}/end-sessions`)).status)
    expect(answers).toEqual([200, 200, 200, 429, 429])
  } finally {
    await portal.close()
  }
})

test('the command line takes a role at once and for good, and tells everybody', async () => {
  const { portal, a, b, proposePrice, kindsTo } = await threeOwners()
  try {
    const { vault } = portal.deps
    const change = { username: b.username, role: 'owner', vault } as const
    expect(await revokeRole(portal.db, change)).toBe('revoked')
    for (const one of [a, b]) expect(await kindsTo(one)).toEqual(['role-changed'])
    await grantRole(portal.db, change)
    for (const one of [a, b]) expect(await kindsTo(one)).toEqual(['role-changed', 'role-changed'])
    expect((await proposePrice(a)).takes_effect_at).toBeNull()
  } finally {
    await portal.close()
  }
})
