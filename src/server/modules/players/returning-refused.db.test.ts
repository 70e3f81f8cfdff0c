import { isDeepStrictEqual } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import { erasePerson, StillOpen } from '#server/modules/personal-data/index.ts'
import { aMovedPlayer, approveReturn, askToReturn } from '#tests/support/account-returns.ts'
import { type TestAnswer, useTestApp } from '#tests/support/app.ts'
import { aVisitorCase, onCase, sendCase } from '#tests/support/cases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { anEmail, aPhone, contactsOf, giveVerifiedEmail, provePhone } from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
const { first, second } = useOperators(portal, { first: 'owner', second: 'owner' })
// More acts than a person does in a minute.
beforeEach(() => portal.db.deleteFrom('rate_limit').execute())

const giveBack = ({ player, caseId }: Pick<Given, 'player' | 'caseId'>) =>
  askToReturn(portal, first, { player, caseId })
const waiting = async (id: string): Promise<OperatorProposal | undefined> =>
  (
    await portal.call('GET', '/api/operator/proposals?filter={"state":"waiting"}', { token: second.token })
  ).body.find((one: OperatorProposal) => one.id === id)

type Given = { player: TestPlayer; caseId: string; email: string }

/** What keeps an account from being handed back, also when it comes about while the proposal waits. */
const REFUSED: readonly [string, RegExp, (given: Given) => Promise<unknown>][] = [
  ['a closed case', /đã đóng/, ({ caseId }) => onCase(portal, first, `${caseId}/close`, {})],
  [
    'a full case',
    /đã đủ 100 tin nhắn/,
    ({ caseId }) => asOwner(portal, 'UPDATE help_case SET messages = 100 WHERE id = $1', [caseId]),
  ],
  [
    'an account with a proved phone',
    /đã xác minh số điện thoại/,
    ({ player }) => provePhone(portal, { player, phone: aPhone() }),
  ],
  [
    'an account with a proved address',
    /đã xác minh email/,
    ({ player }) =>
      asOwner(
        portal,
        'INSERT INTO user_contacts (user_id, email, email_verified_at) VALUES ($1, $2, now())',
        [player.id, anEmail()],
      ),
  ],
  [
    'the account of an operator',
    /của ban vận hành/,
    ({ player: { username } }) => grantRole(portal.db, { username, role: 'referee' }),
  ],
  [
    'the account of a former approver',
    /của ban vận hành/,
    ({ player }) =>
      asOwner(portal, "INSERT INTO former_role (user_id, role, granted_at) VALUES ($1, 'owner', now())", [
        player.id,
      ]),
  ],
  [
    'an address that another account has proved',
    /đã được xác minh cho một tài khoản khác/,
    async ({ email }) => giveVerifiedEmail(portal, (await aPlayer(portal)).id, email.toUpperCase()),
  ],
]

/** Others, which cannot come about while a proposal waits. */
const REFUSED_AT_ONCE: readonly [string, RegExp, (given: Given) => Promise<Partial<Given>>][] = [
  [
    'the case of a player',
    /không phải của khách/,
    async () => ({ caseId: (await sendCase(portal, await aPlayer(portal), { kind: 'account' })).body.id }),
  ],
  ['a case that is none', /không phải của khách/, async () => ({ caseId: '999999999' })],
  ['the own account', /của ban vận hành/, async () => ({ player: first })],
  [
    'an erased account',
    /đã bị xóa/,
    async ({ player: { username } }) => {
      await erasePerson(portal.deps, { username, withBalance: true })
      return {}
    },
  ],
  [
    'a phone that another account has proved',
    /đã được xác minh cho một tài khoản khác/,
    async () => {
      const phone = aPhone()
      const { id: caseId } = await aVisitorCase(portal, { phone })
      await provePhone(portal, { player: await aPlayer(portal), phone })
      return { caseId }
    },
  ],
]

async function aGiven(): Promise<Given> {
  const email = anEmail()
  const [player, { id: caseId }] = [await aMovedPlayer(portal), await aVisitorCase(portal, { email })]
  return { player, caseId, email }
}

/** What comes of an act, and whether the account has what it had. */
async function outcomeOf({ player }: Given, act: () => Promise<TestAnswer>) {
  const before = await contactsOf(portal, player.id)
  const { status, body } = await act()
  const after = await contactsOf(portal, player.id)
  return { status, code: body.code, message: body.message, isUnchanged: isDeepStrictEqual(before, after) }
}

const refusedBecause = (why: RegExp) => ({
  status: 409,
  code: 'CONFLICT',
  message: expect.stringMatching(why),
  isUnchanged: true,
})

describe('an account is not handed back', () => {
  test.each(REFUSED_AT_ONCE)('for %s', async (_, why, arrange) => {
    const made = await aGiven()
    const given = { ...made, ...(await arrange(made)) }
    expect(await outcomeOf(given, () => giveBack(given))).toEqual(refusedBecause(why))
  })

  test.each(REFUSED)('for %s', async (_, why, arrange) => {
    const given = await aGiven()
    await arrange(given)
    expect(await outcomeOf(given, () => giveBack(given))).toEqual(refusedBecause(why))
  })

  test.each(REFUSED)('for %s that came about after it was proposed', async (_, why, arrange) => {
    const given = await aGiven()
    const proposed = await giveBack(given)
    expect(proposed.status).toBe(202)
    await arrange(given)
    const outcome = await outcomeOf(given, () => approveReturn(portal, second, proposed.body.proposal.id))
    expect(outcome).toEqual(refusedBecause(why))
  })

  test('a proposal is shown as out of date once the account has proved a contact', async () => {
    const player = await aMovedPlayer(portal)
    const asked = await aVisitorCase(portal, { email: anEmail() })
    const { id } = (await giveBack({ player, caseId: asked.id })).body.proposal
    expect((await waiting(id))?.state).toBe('waiting')
    await provePhone(portal, { player, phone: aPhone() })
    expect((await waiting(id))?.state).toBe('outdated')
  })

  test('one case gives one account only', async () => {
    const [one, other] = [await aMovedPlayer(portal), await aMovedPlayer(portal)]
    const asked = await aVisitorCase(portal, { email: anEmail() })
    const waits = (await giveBack({ player: other, caseId: asked.id })).body.proposal.id
    const proposed = await giveBack({ player: one, caseId: asked.id })
    expect((await approveReturn(portal, second, proposed.body.proposal.id)).status).toBe(200)
    expect((await approveReturn(portal, second, waits)).body.message).toMatch(
      /đã được xác minh cho một tài khoản khác/,
    )
  })

  test('while it waits the account is not erased', async () => {
    const player = await aMovedPlayer(portal)
    const asked = await aVisitorCase(portal, { email: anEmail() })
    expect((await giveBack({ player, caseId: asked.id })).status).toBe(202)
    const erasing = erasePerson(portal.deps, { username: player.username, withBalance: true })
    await expect(erasing).rejects.toThrow(StillOpen)
  })
})
