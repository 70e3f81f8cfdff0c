import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { failedWork, poison } from '#tests/support/poisoned-row.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOrder, aNotification, balanceOf, deliver, openAccounts } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { brokenChecks, expectReconciled } from '#tests/support/ledger.ts'
import { activatePlayer, aPlayer, type PlayerWishes, type TestPlayer } from '#tests/support/players.ts'
import { fundedBudget } from '#tests/support/promotions.ts'
import { setSetting } from '#tests/support/settings.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { decideDue } from './invitations.service.ts'

const portal = useTestApp()
const { owner, cashier } = useOperators(portal, { owner: 'owner', cashier: 'cashier' })
const INVITER = 7_000
const INVITED = 3_000
let budget = ''

beforeAll(() => openAccounts(portal))
beforeEach(async () => {
  await asOwner(portal, 'DELETE FROM rate_limit')
  budget = await fundedBudget(portal, 100_000)
  await settings({ budget, enabled: '1', inviter: INVITER, invited: INVITED, per_month: 3, recharge: 50_000 })
})
afterEach(() => expectReconciled(portal))

async function settings(values: Record<string, string | number>): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await setSetting(portal, `invitation_${name}`, String(value))
}

/** Money that arrived for a player, by a transfer of this bank account. */
async function recharge(player: TestPlayer, { amount = 50_000, payer = someAccount() } = {}): Promise<void> {
  const { code } = await anOrder(portal, player, { amount })
  const memo = `${code} tu tk ${payer}`
  await deliver(portal, aNotification({ content: memo, description: memo, transferAmount: amount }))
}

let accounts = 1_000_000_000
const someAccount = () => String(accounts++)

/** A player who came by somebody's link, recharged and is activated. */
async function invitedBy(
  inviter: TestPlayer,
  { payer, ...wishes }: PlayerWishes & { payer?: string } = {},
): Promise<TestPlayer> {
  const player = await aPlayer(portal, { isActivated: true, inviter: inviter.username, ...wishes })
  await recharge(player, payer === undefined ? {} : { payer })
  return player
}

/** An operator finds that the money was another player's. */
async function takeBack({ id }: TestPlayer): Promise<void> {
  const credited = portal.db.selectFrom('bank_transaction').select('id').where('user_id', '=', id)
  const transfer = await credited.where('state', '=', 'credited').executeTakeFirstOrThrow()
  const { status } = await portal.call('POST', `/api/operator/bank-transfers/${transfer.id}/reverse-credit`, {
    token: owner.token,
    body: { reason: 'Tiền của người khác' },
  })
  expect(status).toBe(200)
}

/** Three days pass for all money that was credited. */
const threeDaysPass = () =>
  asOwner(
    portal,
    `SET session_replication_role = replica;
     UPDATE ledger_transfer SET created_at = created_at - interval '72 hours' WHERE kind = 'recharge';
     UPDATE invitation_reward SET due_at = due_at - interval '72 hours';
     RESET session_replication_role`,
  )

async function decideAll(): Promise<void> {
  while (await decideDue(portal.deps));
}

const stateOf = async ({ id }: TestPlayer) => {
  const query = portal.db
    .selectFrom('invitation_reward')
    .select(['state', 'reasons'])
    .where('invited_id', '=', id)
  return query.executeTakeFirst()
}

const seen = async ({ token }: TestPlayer) => (await portal.call('GET', '/api/invitations', { token })).body

const decide = (id: string, act: 'grant' | 'refuse', by = owner) =>
  portal.call('POST', `/api/operator/invitation-rewards/${id}/${act}`, {
    token: by.token,
    body: { reason: 'Đã gọi cho cả hai' },
  })

describe('an invitation', () => {
  test('gives both theirs when the first recharge has stood for three days, and tells them', async () => {
    const inviter = await aPlayer(portal)
    const invited = await invitedBy(inviter)
    await decideAll()
    expect(await stateOf(invited)).toMatchObject({ state: 'waiting' })
    await threeDaysPass()
    await decideAll()
    expect(await balanceOf(portal, inviter)).toBe(INVITER)
    expect(await balanceOf(portal, invited)).toBe(50_000 + INVITED)
    expect(await seen(inviter)).toMatchObject({
      link: expect.stringContaining(inviter.username),
      invited: [{ name: 'ngu***', state: 'granted', reward: INVITER }],
      rewards_left: 2,
      terms: { inviter_coins: INVITER, invited_coins: INVITED, recharge_min: 50_000, per_month: 3 },
    })
    const { body } = await portal.call('GET', '/api/notices', inviter)
    expect(JSON.stringify(body)).toContain('Bạn được thưởng 7,000 TCoin')
    const statement = await portal.call('GET', '/api/user/transactions?filter_type=invitation', invited)
    expect(statement.body.data).toMatchObject([{ amount: INVITED, description: 'Thưởng mời bạn' }])
  })

  test('is decided once by eight workers at once', async () => {
    const inviter = await aPlayer(portal)
    const invited = await invitedBy(inviter)
    await threeDaysPass()
    const rounds = await Promise.allSettled(Array.from({ length: 8 }, () => decideDue(portal.deps)))
    expect(rounds.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(await balanceOf(portal, inviter)).toBe(INVITER)
    expect(await balanceOf(portal, invited)).toBe(50_000 + INVITED)
  })

  test('gives nothing for a recharge that is too small, and something for a later one that is not', async () => {
    const inviter = await aPlayer(portal)
    const invited = await aPlayer(portal, { isActivated: true, inviter: inviter.username })
    await recharge(invited, { amount: 49_999 })
    await threeDaysPass()
    await decideAll()
    expect(await seen(inviter)).toMatchObject({ invited: [{ state: 'activated', reward: null }] })
    await recharge(invited)
    await decideAll()
    expect((await stateOf(invited))?.state).toBe('waiting')
    await threeDaysPass()
    await decideAll()
    expect((await stateOf(invited))?.state).toBe('granted')
  })

  test('gives nothing for a recharge that was reversed before three days', async () => {
    const inviter = await aPlayer(portal)
    const invited = await invitedBy(inviter)
    await takeBack(invited)
    await threeDaysPass()
    await decideAll()
    expect(await stateOf(invited)).toMatchObject({ state: 'waiting' })
    expect(await balanceOf(portal, inviter)).toBe(0)
  })

  test('waits three days for the recharge that stands, where an earlier one was reversed', async () => {
    const inviter = await aPlayer(portal)
    const invited = await invitedBy(inviter)
    await threeDaysPass()
    await takeBack(invited)
    await recharge(invited)
    await decideAll()
    expect((await stateOf(invited))?.state).toBe('waiting')
    expect(await balanceOf(portal, inviter)).toBe(0)
    await threeDaysPass()
    await decideAll()
    expect((await stateOf(invited))?.state).toBe('granted')
  })

  test('waits for the activation', async () => {
    const inviter = await aPlayer(portal)
    const invited = await aPlayer(portal, { inviter: inviter.username })
    await recharge(invited)
    await threeDaysPass()
    await decideAll()
    expect((await stateOf(invited))?.state).toBe('waiting')
    await activatePlayer(portal, invited)
    await threeDaysPass()
    await decideAll()
    expect((await stateOf(invited))?.state).toBe('granted')
  })

  test('is refused while invitations are off, and when the inviter had all of the month', async () => {
    const inviter = await aPlayer(portal)
    await settings({ enabled: '0' })
    const early = await invitedBy(inviter)
    await threeDaysPass()
    await decideAll()
    expect(await stateOf(early)).toEqual({ state: 'refused', reasons: ['off'] })
    expect(await seen(inviter)).toMatchObject({ rewards_left: 0, terms: null })
    await settings({ enabled: '1', per_month: 1 })
    const [first, second] = [await invitedBy(inviter), await invitedBy(inviter)]
    await threeDaysPass()
    const rounds = await Promise.allSettled([decideDue(portal.deps), decideDue(portal.deps), decideAll()])
    expect(rounds.filter(({ status }) => status === 'rejected')).toEqual([])
    const states = [await stateOf(first), await stateOf(second)]
    expect(states.map((one) => one?.state).toSorted()).toEqual(['granted', 'refused'])
    expect(await balanceOf(portal, inviter)).toBe(INVITER)
  })

  test('is no invitation of somebody who recharged before', async () => {
    const player = await aPlayer(portal)
    await recharge(player)
    const inviter = await aPlayer(portal)
    await asOwner(portal, `UPDATE users SET referrer_id = $1 WHERE id = $2`, [inviter.id, player.id])
    await recharge(player)
    expect(await stateOf(player)).toBeUndefined()
  })
})

describe('one person with several accounts', () => {
  const sharesDevice = (one: TestPlayer, other: TestPlayer) =>
    asOwner(
      portal,
      `INSERT INTO known_device (user_id, kind, hash)
         SELECT $1, kind, hash FROM known_device WHERE user_id = $2 AND kind = 'cookie'`,
      [one.id, other.id],
    )

  test('gets nothing for many fresh ones, and something for a friend', async () => {
    const inviter = await aPlayer(portal)
    const payer = someAccount()
    const fresh: TestPlayer[] = []
    const reasons = []
    for (let account = 0; account < (hasAllCases ? 50 : 10); account++) {
      const mark = (['address', 'bank-account', 'device'] as const)[account % 3]
      const shared = { address: { address: inviter.address }, 'bank-account': { payer }, device: {} }
      const invited = await invitedBy(inviter, shared[mark ?? 'device'])
      if (mark === 'device') await sharesDevice(invited, inviter)
      fresh.push(invited)
      reasons.push([mark])
    }
    const friend = await invitedBy(inviter)
    await threeDaysPass()
    await decideAll()
    expect(await Promise.all(fresh.map(stateOf))).toEqual(
      reasons.map((found) => ({ state: 'review', reasons: found })),
    )
    expect((await stateOf(friend))?.state).toBe('granted')
    expect(await balanceOf(portal, inviter)).toBe(INVITER)
    expect((await seen(inviter)).rewards_left).toBe(2)
  })

  test('is found by a device, and by what only the invited have in common', async () => {
    const inviter = await aPlayer(portal)
    const first = await invitedBy(inviter)
    const second = await invitedBy(inviter)
    await sharesDevice(first, second)
    await threeDaysPass()
    await decideAll()
    expect(await stateOf(first)).toEqual({ state: 'review', reasons: ['device'] })
    expect(await stateOf(second)).toEqual({ state: 'review', reasons: ['device'] })
  })

  test('is found by a character that both bought for', async () => {
    const inviter = await aPlayer(portal)
    const invited = await invitedBy(inviter)
    await asOwner(
      portal,
      `INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, state, settled_at)
       SELECT gen_random_uuid(), 'reward', id, 0, '1', '-', 'shared' || $2, '-', '[]', 'refunded', now() FROM users WHERE id = ANY ($1)`,
      [[inviter.id, invited.id], invited.id],
    )
    await asOwner(
      portal,
      `INSERT INTO reward (delivery_id, user_id, given_for, voided_at)
       SELECT id, user_id, 'test:1', now() FROM delivery WHERE character_id = 'shared' || $1`,
      [invited.id],
    )
    await threeDaysPass()
    await decideAll()
    expect(await stateOf(invited)).toEqual({ state: 'review', reasons: ['character'] })
  })
})

describe('a review', () => {
  async function inReview() {
    const inviter = await aPlayer(portal)
    const invited = await invitedBy(inviter, { address: inviter.address })
    await threeDaysPass()
    await decideAll()
    return { inviter, invited }
  }

  test('is granted or refused once, by an operator who may, and shown to players as waiting before', async () => {
    const { inviter, invited } = await inReview()
    expect((await seen(inviter)).invited).toMatchObject([{ state: 'waiting' }])
    expect((await decide(invited.id, 'grant', cashier)).status).toBe(403)
    const answers = await Promise.all([1, 2, 3].map(() => decide(invited.id, 'grant')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await balanceOf(portal, inviter)).toBe(INVITER)
    expect((await decide(invited.id, 'refuse')).status).toBe(409)
    const other = await inReview()
    expect((await decide(other.invited.id, 'refuse')).body).toMatchObject({
      state: 'refused',
      reasons: ['operator'],
      decided_by: { id: owner.id },
    })
    expect(await balanceOf(portal, other.inviter)).toBe(0)
  })

  test('is not granted when its recharge was reversed, or the budget is empty', async () => {
    const { invited } = await inReview()
    await settings({ budget: await fundedBudget(portal, INVITER + INVITED - 1) })
    expect((await decide(invited.id, 'grant')).body).toMatchObject({
      code: 'CONFLICT',
      message: 'Ngân sách của lời mời không còn đủ TCoin',
    })
    await settings({ budget })
    await takeBack(invited)
    expect((await decide(invited.id, 'grant')).body.message).toBe(
      'Khoản nạp của người được mời đã bị thu hồi',
    )
  })

  test('comes from an empty budget too', async () => {
    await settings({ budget: await fundedBudget(portal, 1) })
    const invited = await invitedBy(await aPlayer(portal))
    await threeDaysPass()
    await decideAll()
    expect(await stateOf(invited)).toEqual({ state: 'review', reasons: ['budget'] })
  })
})

test('the reconciliation finds a reward that says something else than the ledger', async () => {
  const inviter = await aPlayer(portal)
  const invited = await invitedBy(inviter)
  await threeDaysPass()
  await decideAll()
  const change = (by: string) =>
    asOwner(
      portal,
      `UPDATE invitation_reward SET inviter_coins = inviter_coins ${by} WHERE invited_id = $1`,
      [invited.id],
    )
  await change('+ 1')
  expect(await brokenChecks(portal)).toEqual([expect.stringMatching(/^R15:/)])
  await change('- 1')
})

test('a reward that fails leaves the others, and is decided once it can be', async () => {
  const [inviter, another] = [await aPlayer(portal), await aPlayer(portal)]
  const [poisoned, other] = [await invitedBy(inviter), await invitedBy(another)]
  await threeDaysPass()
  const { cure } = await poison(portal, { table: 'invitation_reward', key: 'invited_id', id: poisoned.id })
  await decideAll()
  expect(await stateOf(other)).toMatchObject({ state: 'granted' })
  expect(await stateOf(poisoned)).toMatchObject({ state: 'waiting' })
  expect(await failedWork(portal)).toMatchObject([{ job: 'invitations', subject: poisoned.id }])
  await cure()
  await decideAll()
  expect(await stateOf(poisoned)).toMatchObject({ state: 'granted' })
  expect(await balanceOf(portal, inviter)).toBe(INVITER)
  expect(await failedWork(portal)).toEqual([])
})
