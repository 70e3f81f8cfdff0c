import { describe, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aPhone, letTimePass, receiveCode, tryCode, verifiedCode, wrongCode } from '#tests/support/phones.ts'
import type { CodeTarget } from './codes.rules.ts'
import { checkCode, makeCode, spendCode, tryCode as tryStored } from './codes.service.ts'
import { removeOldCodes } from './otp.queries.ts'

const portal = useTestApp()

const aCanonicalPhone = () => `84${aPhone().slice(1)}`
const make = (target: CodeTarget) => makeCode(portal.deps.vault, portal.db, target)
const check = (target: CodeTarget, code: string) => checkCode(portal.deps.vault, portal.db, { target, code })
const verify = (target: CodeTarget, code: string) =>
  tryStored(portal.deps.vault, portal.db, { target, code, use: 'verify', dayTriesMax: 20 })
const spend = (target: CodeTarget, code: string | null) =>
  inTransaction(portal.db, (tx) => spendCode(portal.deps.vault, tx, { target, code }))

describe('many at once', () => {
  test('64 requests that verify one code have one success', async () => {
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    const answers = await Promise.all(Array.from({ length: 64 }, () => tryCode(portal, { phone, code })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body['code'] === 'OTP_INVALID')).toHaveLength(63)
  })

  test('64 simultaneous verifications have one success', async () => {
    const phone = aCanonicalPhone()
    const code = await make({ channel: 'phone', phone })
    const results = await Promise.all(
      Array.from({ length: 64 }, () => verify({ channel: 'phone', phone }, code)),
    )
    expect(results.filter((result) => result === 'right')).toHaveLength(1)
  })

  test('64 acts with one verified code have one success', async () => {
    const phone = aCanonicalPhone()
    await verifiedCode(portal, phone)
    const results = await Promise.all(
      Array.from({ length: 64 }, () => spend({ channel: 'phone', phone }, null)),
    )
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('of 64 wrong tries at once no more than five count against a code, and none is let in', async () => {
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, step) => tryCode(portal, { phone, code: wrongCode(code, step + 1) })),
    )
    expect(answers.filter(({ status }) => status !== 422)).toEqual([])
    expect((await tryCode(portal, { phone, code })).status).toBe(422)
  })
})

describe('an act', () => {
  test('takes the verified code, and no other', async () => {
    const phone = aCanonicalPhone()
    const target: CodeTarget = { channel: 'phone', phone }
    const code = await verifiedCode(portal, phone)
    expect(await spend(target, wrongCode(code))).toBe(false)
    expect(await check(target, wrongCode(code))).toBe(false)
    expect(await check(target, code)).toBe(true)
    expect(await spend(target, code)).toBe(true)
    expect([await check(target, code), await spend(target, code), await spend(target, null)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('that is undone gives the code back', async () => {
    const phone = aCanonicalPhone()
    const target: CodeTarget = { channel: 'phone', phone }
    await verifiedCode(portal, phone)
    const undone = inTransaction(portal.db, async (tx) => {
      expect(await spendCode(portal.deps.vault, tx, { target, code: null })).toBe(true)
      throw new Error('the act fails')
    })
    await expect(undone).rejects.toThrow('the act fails')
    expect(await spend(target, null)).toBe(true)
  })

  test('counts wrong tries like a verification: the fifth kills the code, the twentieth ends the day', async () => {
    const phone = aPhone()
    const target: CodeTarget = { channel: 'phone', phone: `84${phone.slice(1)}` }
    for (let round = 1; round <= 3; round += 1) {
      // One try goes into the verification of each.
      const code = await verifiedCode(portal, phone)
      for (let step = 1; step <= 5; step += 1) expect(await check(target, wrongCode(code, step))).toBe(false)
      expect(await spend(target, code)).toBe(false)
      await letTimePass(portal, phone, 60)
    }
    // Unknown devices have used their 15; the account's devices have the rest.
    const last = await receiveCode(portal, phone)
    expect(await verify(target, last)).toBe('right')
    expect(await check(target, wrongCode(last))).toBe(false)
    expect(await check(target, last)).toBe(false)
  })

  test('with a mailed code needs no verification; the code is the player’s own, whatever the case of the address', async () => {
    const target: CodeTarget = { channel: 'email', userId: '1', email: 'Hoang@Example.com' }
    const code = await make(target)
    expect(await check({ ...target, userId: '2' }, code)).toBe(false)
    expect(await check({ ...target, email: 'tuan@example.com' }, code)).toBe(false)
    expect(await check({ ...target, email: 'hoang@example.com' }, code)).toBe(true)
    expect(await spend(target, code)).toBe(true)
    expect(await spend(target, code)).toBe(false)
  })
})

test('a code is forgotten two days after its making, and not before', async () => {
  const [old, young] = [aPhone(), aPhone()]
  for (const phone of [old, young]) await receiveCode(portal, phone)
  await letTimePass(portal, old, 2 * 86_400 + 60)
  await letTimePass(portal, young, 86_400)
  const count = async () =>
    Number(
      (
        await portal.db
          .selectFrom('one_time_code')
          .select((one) => one.fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    )
  const before = await count()
  expect(await removeOldCodes(portal.deps)).toBe(true)
  expect(await count()).toBe(before - 1)
})
