import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import { aMovedPlayer, approveReturn, askToReturn } from '#tests/support/account-returns.ts'
import { startTestApp } from '#tests/support/app.ts'
import { aVisitorCase, readCase } from '#tests/support/cases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useMailingApp, useOperators } from '#tests/support/fixtures.ts'
import {
  anEmail,
  aPhone,
  contactsOf,
  deliverMail,
  giveEmail,
  giveVerifiedEmail,
  lettersTo,
  linkFor,
  tokenIn,
  verifiedCode,
} from '#tests/support/mail.ts'
import { anOperator, anOperatorWithoutProof, type TestOperator } from '#tests/support/operators.ts'
import { anAddress, aPlayer, type TestPlayer, turnOnSecondFactor } from '#tests/support/players.ts'
import { lastTrailRow } from '#tests/support/trail-rows.ts'

const { portal, server } = useMailingApp()
const { first, second, support } = useOperators(portal, {
  first: 'owner',
  second: 'owner',
  support: 'support',
})
// More acts than a person does in a minute.
beforeEach(() => portal.db.deleteFrom('rate_limit').execute())

const NEW_PASSWORD = 'mat-khau-moi-1'

const giveBack = (player: TestPlayer, caseId: string, by = first) =>
  askToReturn(portal, by, { player, caseId })
const decide = (by: TestOperator, id: string) => approveReturn(portal, by, id)
const factsOf = (caseId: string, username: string, { token }: TestOperator = first) =>
  portal.call('GET', `/api/operator/cases/${caseId}/account?${new URLSearchParams({ username })}`, { token })
const loginOf = ({ username, password }: Pick<TestPlayer, 'username' | 'password'>) =>
  portal.call('POST', '/api/auth/login', { body: { username, password }, from: anAddress() })

/** Proposed by one owner, approved by the other. */
async function handBack(player: TestPlayer, caseId: string) {
  const proposed = await giveBack(player, caseId)
  expect([proposed.status, proposed.body.proposal?.kind]).toEqual([202, 'account-return'])
  return decide(second, proposed.body.proposal.id)
}

const byPhone = (username: string, phone: string, code: string) =>
  portal.call('POST', '/api/password/reset-via-phone', {
    body: { username, phone, code, password: NEW_PASSWORD },
    from: anAddress(),
  })

describe('an account is handed back to a visitor', () => {
  test('with an address: nothing changes until a second person agrees; then the visitor sets a password by the link', async () => {
    const email = anEmail()
    const player = await aMovedPlayer(portal, { email: email.toUpperCase() })
    const asked = await aVisitorCase(portal, { email })
    const staffMail = anEmail()
    await giveVerifiedEmail(portal, support.id, staffMail)
    const stale = await anOperatorWithoutProof(portal, 'owner')
    expect((await giveBack(player, asked.id, stale)).body.code).toBe('STEP_UP_REQUIRED')
    await asOwner(portal, 'DELETE FROM user_roles WHERE user_id = $1', [stale.id])

    const proposed = await giveBack(player, asked.id)
    expect([proposed.status, proposed.body.proposal.kind]).toEqual([202, 'account-return'])
    const { id, terms } = proposed.body.proposal as OperatorProposal
    expect(terms?.lines).toEqual(
      expect.arrayContaining([
        {
          label: 'Liên hệ đã xác minh của tài khoản',
          before: 'Chưa có',
          after: `Email mà khách đã xác minh ở yêu cầu hỗ trợ số ${asked.id}`,
        },
        { label: 'Liên hệ game ghi', before: null, after: 'Trùng với liên hệ của khách' },
        { label: 'Liên hệ chưa xác minh của tài khoản', before: null, after: 'Không có' },
      ]),
    )
    const [letter] = await lettersTo(portal, staffMail)
    expect(letter).toMatchObject({ kind: 'proposal-made', subject: expect.stringContaining(player.username) })
    expect(JSON.stringify(letter).toLowerCase()).not.toContain(email)
    expect((await giveBack(player, asked.id, second)).body.code).toBe('CONFLICT')
    expect((await decide(first, id)).body.code).toBe('CONFLICT')
    expect(await contactsOf(portal, player.id)).toBeUndefined()
    const isSignedIn = async () =>
      (await portal.call('GET', '/api/user/transactions', { token: player.token })).status
    expect(await isSignedIn()).toBe(200)

    expect((await decide(second, id)).body.state).toBe('approved')
    expect(await contactsOf(portal, player.id)).toMatchObject({ email, isEmailVerified: true, phone: null })
    expect(
      await portal.db.selectFrom('contact_hint').selectAll().where('user_id', '=', player.id).execute(),
    ).toEqual([])
    expect(await isSignedIn()).toBe(401)
    expect(
      await lastTrailRow(portal, {
        action: 'proposals.approve',
        subject: { type: 'account-return', id: player.id },
      }),
    ).toMatchObject({
      actor_id: second.id,
      details: expect.objectContaining({ case_id: asked.id }),
    })
    const { body: read } = await portal.call('POST', '/api/help/cases/read', { body: { token: asked.token } })
    expect(read).toMatchObject({ state: 'answered' })
    expect(read.messages.at(-1).text).toMatch(
      new RegExp(`trả lại tài khoản ${player.username} cho bạn.*dùng được trong 30 phút`),
    )

    await deliverMail(portal)
    const token = server
      .to(email)
      .map(({ text }) => tokenIn(text ?? ''))
      .find((found) => found !== null)
    // Whoever knows the old password is let in until there is another one.
    expect((await loginOf(player)).status).toBe(200)
    const reset = await portal.call('POST', '/api/password/reset', {
      body: { token, password: NEW_PASSWORD },
      from: anAddress(),
    })
    expect(reset.status).toBe(200)
    expect((await loginOf({ ...player, password: NEW_PASSWORD })).status).toBe(200)
    expect((await loginOf(player)).status).toBe(422)
    // A link that was lost is replaced as for every player.
    await deliverMail(portal)
    expect(await linkFor(portal, server, { username: player.username, email })).not.toBeNull()
  })

  test('with a phone: the password is set by its code, and no way back that stood in the account opens any more', async () => {
    const [phone, planted, plantedMail] = [aPhone(), aPhone(), anEmail()]
    const player = await aPlayer(portal, { phone: planted })
    await giveEmail(portal, player, plantedMail)
    const oldLink = await linkFor(portal, server, { username: player.username, email: plantedMail })
    const asked = await aVisitorCase(portal, { phone })
    expect((await handBack(player, asked.id)).status).toBe(200)
    expect(await contactsOf(portal, player.id)).toEqual({
      phone,
      isPhoneVerified: true,
      email: null,
      isEmailVerified: false,
    })
    const reset = { token: oldLink, password: NEW_PASSWORD }
    const byLink = await portal.call('POST', '/api/password/reset', { body: reset, from: anAddress() })
    expect(byLink.body.code).toBe('TOKEN_INVALID')
    const planter = await byPhone(player.username, planted, await verifiedCode(portal, planted))
    expect(planter.body.code).toBe('OTP_INVALID')
    expect(await lettersTo(portal, plantedMail)).toContainEqual(
      expect.objectContaining({
        kind: 'contact-removed',
        subject: 'Email này đã được gỡ khỏi một tài khoản',
      }),
    )
    const { body: read } = await portal.call('POST', '/api/help/cases/read', { body: { token: asked.token } })
    expect(read.messages.at(-1).text).toContain(`chọn “Điện thoại”, nhập tên đăng nhập ${player.username}`)
    expect((await byPhone(player.username, phone, await verifiedCode(portal, phone))).status).toBe(200)
    expect((await loginOf({ ...player, password: NEW_PASSWORD })).status).toBe(200)
  })

  test('a link without an address, as the command line makes it, opens nothing any more', async () => {
    const phone = aPhone()
    const player = await aMovedPlayer(portal)
    await asOwner(
      portal,
      `INSERT INTO password_reset (user_id, token_hash, password_mark, sealed_email)
       SELECT id, decode(repeat('ab', 32), 'hex'), sha256(convert_to(password_hash, 'UTF8')), '\\x00' FROM users WHERE id = $1`,
      [player.id],
    )
    expect((await handBack(player, (await aVisitorCase(portal, { phone })).id)).status).toBe(200)
    const links = portal.db.selectFrom('password_reset').selectAll().where('user_id', '=', player.id)
    expect(await links.execute()).toEqual([])
  })

  test('the second factor stays, and the visitor is told of it', async () => {
    const email = anEmail()
    const player = await aMovedPlayer(portal)
    await turnOnSecondFactor(portal, player.token)
    const asked = await aVisitorCase(portal, { email })
    expect((await handBack(player, asked.id)).status).toBe(200)
    const thread = (await readCase(portal, first, asked.id)).thread
    expect(thread.at(-1)?.text).toContain('vẫn bật xác thực hai lớp')
    expect((await loginOf(player)).body.code).toBe('SECOND_FACTOR_REQUIRED')
  })

  test('a phone that another account has without a proof is taken from it, and its player is told', async () => {
    const phone = aPhone()
    const holder = await aPlayer(portal, { phone })
    const player = await aMovedPlayer(portal)
    const asked = await aVisitorCase(portal, { phone })
    expect((await handBack(player, asked.id)).status).toBe(200)
    expect(await contactsOf(portal, player.id)).toMatchObject({ phone, isPhoneVerified: true })
    expect(await contactsOf(portal, holder.id)).toMatchObject({ phone: null })
    expect(await lastTrailRow(portal, { action: 'users.lose-phone', id: holder.id })).toBeDefined()
  })

  test('where the second person is switched off one owner does it, with a row of its own', async () => {
    const alone = await startTestApp({ environment: { TWO_PEOPLE: '0' } })
    try {
      const owner = await anOperator(alone, 'owner')
      const player = await aPlayer(alone)
      const asked = await aVisitorCase(alone, { phone: aPhone() })
      const done = await alone.call('POST', `/api/operator/users/${player.id}/return`, {
        token: owner.token,
        body: { case_id: asked.id, reason: 'Nói đúng tên nhân vật' },
      })
      expect(done).toMatchObject({ status: 200, body: { is_returned: true } })
      expect(await lastTrailRow(alone, { action: 'users.return', id: player.id })).toMatchObject({
        actor_id: owner.id,
        details: { case_id: asked.id, terms: { lines: expect.anything() } },
      })
    } finally {
      await alone.close()
    }
  })
})

describe('what is known of an account', () => {
  test('is told to those who may hand it back: contacts masked, and whether the visitor’s is that of the game', async () => {
    const phone = aPhone()
    const player = await aMovedPlayer(portal, { phone, email: 'tuan@thu.test' })
    const { id: caseId } = await aVisitorCase(portal, { phone })
    const { status, body } = await factsOf(caseId, player.username.toUpperCase())
    expect([status, body]).toEqual([
      200,
      {
        account: { id: player.id, username: player.username },
        refusal: null,
        hint: { phone: `0${phone.slice(2, 4)}****${phone.slice(-3)}`, email: 't***@thu.test' },
        game_contact: 'same',
        unproved_contact: 'none',
        created_at: expect.any(String),
        imported_at: expect.any(String),
        last_sign_in_at: expect.any(String),
        has_second_factor: false,
        balance: 0,
        last_recharge_at: null,
        recharges_last_month: 0,
        characters: expect.any(Array),
        characters_at: expect.any(String),
      },
    ])
    expect(body.characters[0]).toMatchObject({ server_name: expect.any(String), level: expect.any(Number) })
    expect((await factsOf(caseId, player.username, support)).status).toBe(403)
    expect((await factsOf('999999999', player.username)).status).toBe(404)
    expect((await factsOf(caseId, 'khongcoaica')).body.errors).toEqual({
      username: ['Không có tài khoản nào mang tên này'],
    })
  })

  test('an unproved contact of the account is compared too, and a refusal is said beforehand', async () => {
    const email = anEmail()
    const player = await aPlayer(portal)
    const { id: caseId } = await aVisitorCase(portal, { email })
    const compared = async () => (await factsOf(caseId, player.username)).body.unproved_contact
    expect(await compared()).toBe('other')
    await giveEmail(portal, player, email.toUpperCase())
    expect(await compared()).toBe('same')
    await giveVerifiedEmail(portal, player.id, email)
    expect((await factsOf(caseId, player.username)).body.refusal).toMatch(/đã xác minh email/)
  })

  test('a game that does not answer is told, and keeps nothing back', async () => {
    const player = await aMovedPlayer(portal)
    for (const table of ['game_character', 'game_character_fetch'])
      await asOwner(portal, `DELETE FROM ${table} WHERE user_id = $1`, [player.id])
    const silent = vi.spyOn(portal.deps.game, 'listCharacters').mockRejectedValue(new Error('no answer'))
    try {
      const { id: caseId } = await aVisitorCase(portal, { email: anEmail() })
      expect((await factsOf(caseId, player.username)).body).toMatchObject({
        characters: [],
        characters_at: null,
        refusal: null,
      })
      const { terms } = (await giveBack(player, caseId)).body.proposal as OperatorProposal
      expect(terms?.lines).toContainEqual({
        label: 'Nhân vật trong game',
        before: null,
        after: 'Game chưa cho biết',
      })
    } finally {
      silent.mockRestore()
    }
  })
})
