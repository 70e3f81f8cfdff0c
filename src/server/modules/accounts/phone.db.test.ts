import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { TestApp } from '#tests/support/app.ts'
import type { MailServer } from '#tests/support/mail-server.ts'
import {
  aPhone,
  anEmail,
  contactsOf,
  deliverMail,
  proveEmail,
  provePhone,
  verifiedCode,
  startMailingApp,
} from '#tests/support/mail.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

let server: MailServer
let portal: TestApp
let end: () => Promise<void>
beforeAll(async () => {
  ;({ server, portal, end } = await startMailingApp())
})
afterAll(() => end())

const update = (player: TestPlayer, body: { code: string; newPhone: string }) =>
  portal.call('POST', '/api/phone/update', { token: player.token, body })

const dialled = (phone: string) => phone.replace(/^84/, '0')

describe('a phone', () => {
  test('is set and proved by its verified code, however it is written', async () => {
    const player = await aPlayer(portal)
    const phone = aPhone()
    const code = await verifiedCode(portal, phone)
    const answer = await update(player, { code, newPhone: dialled(phone) })
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Đã cập nhật và xác thực số điện thoại của bạn.', report: true },
    })
    expect(await contactsOf(portal, player.id)).toMatchObject({ phone, isPhoneVerified: true })
  })

  test('that the player has, unproved, is proved the same way', async () => {
    const phone = aPhone()
    const player = await aPlayer(portal, { phone })
    expect(await contactsOf(portal, player.id)).toMatchObject({ phone, isPhoneVerified: false })
    expect((await update(player, { code: await verifiedCode(portal, phone), newPhone: phone })).status).toBe(
      200,
    )
    expect(await contactsOf(portal, player.id)).toMatchObject({ phone, isPhoneVerified: true })
    const again = await update(player, { code: await verifiedCode(portal, phone), newPhone: phone })
    expect(again.body).toMatchObject({
      code: 'VALIDATION',
      errors: { newPhone: ['Bạn đang dùng số điện thoại này rồi'] },
    })
  })

  test('is not set by a code that was never verified, is another phone’s, or was spent', async () => {
    const player = await aPlayer(portal)
    const other = aPhone()
    const ofAnother = await verifiedCode(portal, other)
    const refused = await update(player, { code: ofAnother, newPhone: aPhone() })
    expect(refused).toMatchObject({ status: 422, body: { code: 'OTP_INVALID', report: true } })
    expect((await update(player, { code: ofAnother, newPhone: other })).status).toBe(200)
    const second = await aPlayer(portal)
    expect((await update(second, { code: ofAnother, newPhone: other })).body.code).toBe('OTP_INVALID')
  })

  test('that was proved before needs its own code first; a refusal spends nothing', async () => {
    const player = await aPlayer(portal)
    const oldPhone = aPhone()
    await provePhone(portal, { player, phone: oldPhone })
    const newPhone = aPhone()
    const code = await verifiedCode(portal, newPhone)
    const without = await update(player, { code, newPhone })
    expect(without).toMatchObject({
      status: 422,
      body: { code: 'OTP_REQUIRED', message: 'Vui lòng xác thực mã OTP của số điện thoại hiện tại trước' },
    })
    const oldCode = await verifiedCode(portal, oldPhone)
    expect((await update(player, { code, newPhone })).status).toBe(200)
    expect(await contactsOf(portal, player.id)).toMatchObject({ phone: newPhone, isPhoneVerified: true })
    // The old phone's code is spent too: it serves nothing else.
    const other = await aPlayer(portal)
    expect((await update(other, { code: oldCode, newPhone: oldPhone })).body.code).toBe('OTP_INVALID')
  })

  test('that another account has unverified is removed there, and its player gets a mail', async () => {
    const phone = aPhone()
    const loser = await aPlayer(portal, { phone })
    const email = anEmail()
    await proveEmail(portal, server, { player: loser, email })
    const owner = await aPlayer(portal)
    expect((await update(owner, { code: await verifiedCode(portal, phone), newPhone: phone })).status).toBe(
      200,
    )
    expect(await contactsOf(portal, loser.id)).toMatchObject({ phone: null, email, isEmailVerified: true })
    expect(await contactsOf(portal, owner.id)).toMatchObject({ phone, isPhoneVerified: true })
    await deliverMail(portal)
    expect(server.to(email).at(-1)?.subject).toBe('Tài khoản của bạn cần một số điện thoại khác')
    const actions = await portal.db
      .selectFrom('audit_log')
      .select(['action', 'subject_id', 'details'])
      .where('subject_id', 'in', [owner.id, loser.id])
      .where('action', 'like', '%phone')
      .orderBy('seq')
      .execute()
    expect(actions).toEqual([
      { action: 'users.lose-phone', subject_id: loser.id, details: {} },
      { action: 'users.change-phone', subject_id: owner.id, details: { taken_from: loser.id } },
    ])
  })

  test('that another account has proved is refused, and its code is not spent', async () => {
    const phone = aPhone()
    const holder = await aPlayer(portal)
    await provePhone(portal, { player: holder, phone })
    const player = await aPlayer(portal)
    const code = await verifiedCode(portal, phone)
    const answer = await update(player, { code, newPhone: phone })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'PHONE_TAKEN',
        errors: { newPhone: ['Số điện thoại đã được đăng ký cho tài khoản khác'] },
      },
    })
    expect(await contactsOf(portal, holder.id)).toMatchObject({ phone, isPhoneVerified: true })
    // Without a code of it, a caller does not learn that it is in use.
    expect((await update(player, { code: '000000', newPhone: phone })).body.code).toBe('OTP_INVALID')
  })
})

describe('two players at once', () => {
  test('prove one phone: one of them has it', async () => {
    for (let round = 0; round < 5; round++) {
      const players = await Promise.all([aPlayer(portal), aPlayer(portal), aPlayer(portal)])
      const phone = aPhone()
      const code = await verifiedCode(portal, phone)
      const answers = await Promise.all(players.map((player) => update(player, { code, newPhone: phone })))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ body }) => body.code === 'OTP_INVALID')).toHaveLength(2)
      const winner = answers.findIndex(({ status }) => status === 200)
      expect(await contactsOf(portal, players[winner]!.id)).toMatchObject({ phone, isPhoneVerified: true })
    }
  })

  test('take each other’s unproved phones: both are locked in the order of their ids, never in a circle', async () => {
    const [one, two] = [aPhone(), aPhone()]
    const first = await aPlayer(portal, { phone: one })
    const second = await aPlayer(portal, { phone: two })
    const codes = [await verifiedCode(portal, two), await verifiedCode(portal, one)]
    const lock = (tx: Tx, player: TestPlayer) =>
      sql`SELECT FROM user_contacts WHERE user_id = ${player.id}::bigint FOR UPDATE NOWAIT`.execute(tx)
    const taking = await inTransaction(portal.db, async (tx) => {
      await lock(tx, first)
      const waiting = update(second, { code: codes[1]!, newPhone: one })
      await sleep(400)
      // It waits for the first row and holds nothing that anyone who has the first row may want next.
      await lock(tx, second)
      return { waiting }
    })
    expect((await taking.waiting).status).toBe(200)
    expect((await update(first, { code: codes[0]!, newPhone: two })).status).toBe(200)
    expect(await contactsOf(portal, first.id)).toMatchObject({ phone: two, isPhoneVerified: true })
    expect(await contactsOf(portal, second.id)).toMatchObject({ phone: one, isPhoneVerified: true })
  })
})
