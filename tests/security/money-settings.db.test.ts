import { CALENDAR } from '#tests/support/rewards.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import { settingDefinitions, type SettingDefinition } from '#contract/operator/settings.ts'
import { grantRole, revokeRole } from '#server/modules/accounts/index.ts'
import { verifyAndStore } from '#server/modules/audit/index.ts'
import { takeEffect } from '#server/modules/proposals/proposals.service.ts'
import { type TestAnswer, type TestApp, startTestApp, useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { anOperator, anOperatorWithoutProof, type TestOperator } from '#tests/support/operators.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { changeSettings, readSetting } from '#tests/support/settings.ts'
import { appCode } from '#tests/support/players.ts'
import { lastTrailRow, trailRows } from '#tests/support/trail-rows.ts'

const accountAt = (bin: string, number: string) => JSON.stringify({ bin, number, name: 'KE GIAN' })
const ACCOUNT = accountAt('970416', '9999999999')
const ACCOUNTS: Readonly<Record<string, string>> = {
  bank_account_momo: accountAt('971025', 'PSP000000000000999'),
  bank_account_vietcombank: accountAt('970436', '9999999999'),
  bank_account_acb: ACCOUNT,
}
const REASON = 'Đổi tài khoản nhận'

/** A value that is right for a setting, and not its present one. */
function anotherValue(key: string, { kind, limits, initial }: SettingDefinition): string {
  if (kind === 'bank-account') return ACCOUNTS[key] ?? ''
  if (kind === 'calendar') return JSON.stringify(CALENDAR)
  if (kind === 'on-off') return initial === '1' ? '0' : '1'
  return kind === 'amounts' ? '[12000,34000]' : String(limits?.max)
}

/** Every setting of these sections, with such a value. */
const settingsOf = (...sections: readonly string[]) =>
  Object.entries<SettingDefinition>(settingDefinitions)
    .filter(([, { section }]) => sections.includes(section))
    .map(([key, definition]): [string, string] => [key, anotherValue(key, definition)])

const GUARDED = settingsOf('prices', 'money')

const change = async (
  portal: TestApp,
  { token }: TestOperator,
  [key, value]: readonly [string, string],
  reason: string | undefined = REASON,
) => {
  const answer = await changeSettings(portal, { token, values: { [key]: value }, reason })
  const { proposals, ...body } = answer.body as { proposals?: { id: string }[] }
  return { ...answer, body: proposals ? { proposal: proposals[0] } : body } as TestAnswer
}

const decide = (portal: TestApp, { token }: TestOperator, id: string, act: string) =>
  portal.call('POST', `/api/operator/proposals/${id}/${act}`, { token, body: { reason: 'Đã kiểm tra' } })

const valueOf = async (portal: TestApp, { token }: TestOperator, key: string): Promise<string> =>
  (await readSetting(portal, token, key)).value

const forgetFreshness = (portal: TestApp, { id }: TestOperator, minutes: number) =>
  asOwner(
    portal,
    'UPDATE sessions SET step_up_at = now() - make_interval(mins => $2::integer) WHERE user_id = $1',
    [id, minutes],
  )

const makeDue = (portal: TestApp, id: string) =>
  asOwner(portal, "UPDATE proposal SET takes_effect_at = now() - interval '1 second' WHERE id = $1", [id])

test('the settings of section money are the accounts that receive and the limits of what is given away', () => {
  const found = settingsOf('money').map(([key]) => key)
  const goods = ['act', 'alone', 'operator', 'day', 'budget'].flatMap((name) => [
    `goods_${name}_luong`,
    `goods_${name}_loads`,
  ])
  const accounts = ['bank_account_acb', 'bank_account_momo', 'bank_account_vietcombank']
  const listed = [...accounts, 'manual_credit_limit', 'agreed_adjustment_limit', ...goods]
  const where = 'this test, tests/security/money-settings.db.test.ts, if it has to be guarded like these'
  expect(listProblems({ found, listed }, where)).toEqual([])
})

describe('with two owners', () => {
  const portal = useTestApp()
  let first: TestOperator
  let second: TestOperator
  beforeAll(async () => {
    first = await anOperatorWithoutProof(portal, 'owner')
    second = await anOperator(portal, 'owner')
  })

  test.each(GUARDED)(
    'security row 40: %s is not changed without a second factor proved just now',
    async (key, value) => {
      const before = await valueOf(portal, first, key)
      const answer = await change(portal, first, [key, value])
      expect(answer).toMatchObject({ status: 409, body: { code: 'STEP_UP_REQUIRED' } })
      expect(await valueOf(portal, first, key)).toBe(before)
      expect((await portal.call('GET', '/api/operator/proposals', { token: first.token })).body).toEqual([])
    },
  )

  test('security row 40: a code of the app proves it once, for five minutes', async () => {
    const owner = await anOperatorWithoutProof(portal, 'owner')
    const otp = appCode(owner.secret, 1)
    const proved = await portal.call('POST', '/api/operator/step-up', { token: owner.token, body: { otp } })
    expect(proved.status).toBe(200)
    const left = new Date(proved.body.until).getTime() - Date.now()
    expect(left).toBeGreaterThan(4 * 60_000)
    expect(left).toBeLessThanOrEqual(5 * 60_000 + 5_000)
    const again = await portal.call('POST', '/api/operator/step-up', { token: owner.token, body: { otp } })
    expect(again).toMatchObject({ status: 422, body: { code: 'OTP_INVALID' } })
    await forgetFreshness(portal, owner, 4)
    expect((await change(portal, owner, ['manual_credit_limit', '-1'])).status).toBe(422)
    const proposed = await change(portal, owner, ['manual_credit_limit', '5'])
    expect(proposed.status).toBe(202)
    expect((await decide(portal, owner, proposed.body.proposal.id, 'withdraw')).status).toBe(200)
    await forgetFreshness(portal, owner, 6)
    expect((await change(portal, owner, ['manual_credit_limit', '5'])).body.code).toBe('STEP_UP_REQUIRED')
    await revokeRole(portal.db, { username: owner.username, role: 'owner' })
  })

  test('security row 40: wrong codes of a step-up are limited like those of a sign-in', async () => {
    const owner = await anOperator(portal, 'editor')
    const codes: string[] = []
    for (let tries = 0; tries < 7; tries++) {
      const body = { otp: '000000' }
      codes.push((await portal.call('POST', '/api/operator/step-up', { token: owner.token, body })).body.code)
    }
    expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'OTP_INVALID'))
    expect(codes.slice(5)).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
  })

  test('security row 40: a change takes a reason', async () => {
    const values = { bank_account_acb: ACCOUNT }
    for (const reason of [{}, { reason: ' x ' }]) {
      const path = '/api/operator/settings'
      const body = { values, updated_at: null, ...reason }
      const answer = await portal.call('PUT', path, { token: second.token, body })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toHaveProperty('reason')
    }
  })

  test.each([...GUARDED, ['bank_account_acb', ''] as [string, string]])(
    'security row 40: %s set to “%s” changes nothing until another owner approves',
    async (key, value) => {
      const before = await valueOf(portal, second, key)
      const proposed = await change(portal, second, [key, value])
      expect(proposed.status).toBe(202)
      const { proposal } = proposed.body
      expect(proposal).toMatchObject({
        kind: 'setting',
        subject: key,
        payload: { before, after: value },
        reason: REASON,
        proposed_by: { id: second.id },
        takes_effect_at: null,
        state: 'waiting',
      })
      expect(await valueOf(portal, second, key)).toBe(before)

      const own = await decide(portal, second, proposal.id, 'approve')
      expect(own).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
      await forgetFreshness(portal, first, 6)
      const stale = await decide(portal, first, proposal.id, 'approve')
      expect(stale).toMatchObject({ status: 409, body: { code: 'STEP_UP_REQUIRED' } })
      expect(await valueOf(portal, second, key)).toBe(before)

      await forgetFreshness(portal, first, 0)
      const approved = await decide(portal, first, proposal.id, 'approve')
      expect(approved).toMatchObject({
        status: 200,
        body: { state: 'approved', decided_by: { id: first.id } },
      })
      expect(await valueOf(portal, second, key)).toBe(value)

      const trail = await trailRows(portal, { subject: { type: 'setting', id: key } })
      expect(trail.slice(-2)).toMatchObject([
        {
          action: 'proposals.propose',
          actor_id: second.id,
          reason: REASON,
          details: { before, after: value },
        },
        { action: 'proposals.approve', actor_id: first.id, details: { before, after: value } },
      ])
      expect((await verifyAndStore(portal.db)).faults).toEqual([])
    },
  )

  test('security row 40: the database prevents one person from approving alone, and an audit row from being taken away', async () => {
    const proposed = await change(portal, second, ['bank_account_momo', ''])
    const { id } = proposed.body.proposal
    const set = { state: 'approved', decided_by: second.id, decided_at: new Date() }
    const approval = portal.db.updateTable('proposal').set(set).where('id', '=', id).execute()
    await expect(approval).rejects.toThrow('proposal_second_person')
    const early = { state: 'effective', decided_at: new Date() }
    await expect(portal.db.updateTable('proposal').set(early).where('id', '=', id).execute()).rejects.toThrow(
      'proposal_second_person',
    )
    await expect(
      portal.db.updateTable('proposal').set({ payload: '{}' }).where('id', '=', id).execute(),
    ).rejects.toThrow('permission denied')
    await expect(portal.db.deleteFrom('audit_log').execute()).rejects.toThrow(/permission denied|append-only/)
    expect((await decide(portal, second, id, 'withdraw')).status).toBe(200)
  })

  test('security row 41: an editor changes texts of pages, and neither prices nor money', async () => {
    const editor = await anOperator(portal, 'editor')
    expect((await change(portal, editor, ['home_intro', 'Chào mừng'])).status).toBe(200)
    for (const [key, value] of GUARDED) {
      const before = await valueOf(portal, editor, key)
      expect((await change(portal, editor, [key, value])).status).toBe(403)
      expect(await valueOf(portal, editor, key)).toBe(before)
    }
    expect(portal.logged()).toContain('"permission":"settings.money"')
  })
})

describe('with one owner only', () => {
  const portal = useTestApp()
  let owner: TestOperator
  const addresses = ['chu@thu.test', 'thu-ngan@thu.test']
  const lettersOf = async (kind: string) =>
    Promise.all(
      addresses.map(
        async (address) => (await lettersTo(portal, address)).filter((letter) => letter.kind === kind).length,
      ),
    )
  beforeAll(async () => {
    owner = await anOperator(portal, 'owner')
    const cashier = await anOperator(portal, 'cashier')
    await giveVerifiedEmail(portal, owner.id, 'chu@thu.test')
    await giveVerifiedEmail(portal, cashier.id, 'thu-ngan@thu.test')
  })

  test('security row 40: a change waits for a day, and every operator gets a mail before and after', async () => {
    const proposed = await change(portal, owner, ['bank_account_acb', ACCOUNT])
    expect(proposed.status).toBe(202)
    const { id, takes_effect_at, proposed_at } = proposed.body.proposal
    const hours = (new Date(takes_effect_at).getTime() - new Date(proposed_at).getTime()) / 3_600_000
    expect(hours).toBeCloseTo(24, 2)
    expect(await lettersOf('proposal-made')).toEqual([1, 1])

    expect(await takeEffect(portal.deps)).toBe(false)
    expect((await decide(portal, owner, id, 'approve')).status).toBe(409)
    expect(await valueOf(portal, owner, 'bank_account_acb')).toBe('')

    // A second owner is added meanwhile; the change still takes effect as announced.
    await anOperator(portal, 'owner')
    await makeDue(portal, id)
    expect(await takeEffect(portal.deps)).toBe(true)
    expect(await takeEffect(portal.deps)).toBe(false)
    expect(await valueOf(portal, owner, 'bank_account_acb')).toBe(ACCOUNT)
    expect(await lettersOf('proposal-done')).toEqual([1, 1])
    expect(await lastTrailRow(portal, { action: 'proposals.take-effect' })).toMatchObject({
      actor_kind: 'system',
      details: { before: '', after: ACCOUNT, proposal_id: id },
    })
  })
})

test('security row 40: a proposal does not take effect once its proposer has lost the role', async () => {
  const portal = await startTestApp()
  try {
    const thief = await anOperator(portal, 'owner')
    await grantRole(portal.db, { username: thief.username, role: 'editor' })
    const { id } = (await change(portal, thief, ['bank_account_acb', ACCOUNT])).body.proposal
    const owner = await anOperator(portal, 'owner')
    await revokeRole(portal.db, { username: thief.username, role: 'owner' })
    expect((await decide(portal, owner, id, 'approve')).body.code).toBe('CONFLICT')
    await makeDue(portal, id)
    expect(await takeEffect(portal.deps)).toBe(true)
    expect(await valueOf(portal, owner, 'bank_account_acb')).toBe('')
    const [row] = (await portal.call('GET', '/api/operator/proposals', { token: owner.token })).body
    expect(row).toMatchObject({ id, state: 'outdated' })
  } finally {
    await portal.close()
  }
})

test('security row 40: with TWO_PEOPLE=0 one owner is enough, with a fresh proof and a reason', async () => {
  const portal = await startTestApp({ environment: { TWO_PEOPLE: '0' } })
  try {
    const owner = await anOperatorWithoutProof(portal, 'owner')
    await giveVerifiedEmail(portal, owner.id, 'chu@thu.test')
    const refused = await change(portal, owner, ['bank_account_acb', ACCOUNT])
    expect(refused).toMatchObject({ status: 409, body: { code: 'STEP_UP_REQUIRED' } })
    await forgetFreshness(portal, owner, 0)
    const done = await change(portal, owner, ['bank_account_acb', ACCOUNT])
    expect(done).toMatchObject({
      status: 200,
      body: { settings: [{ id: 'bank_account_acb', value: ACCOUNT }] },
    })
    expect(await lettersTo(portal, 'chu@thu.test')).toMatchObject([{ kind: 'proposal-done' }])
    expect(await lastTrailRow(portal, { action: 'settings.update' })).toMatchObject({
      reason: REASON,
      details: { before: '', after: ACCOUNT },
    })
  } finally {
    await portal.close()
  }
})
