import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { CODES_PER_DAY, PREFIX_CODES_PER_DAY } from '#server/modules/otp/sms.rules.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aPhone, codeIn, letTimePass, receiveCode, sendText, tryCode } from '#tests/support/phones.ts'

const portal = useTestApp()
beforeEach(() => portal.db.deleteFrom('sms_code_day').execute())

const MINUTE = 60

describe('who asks', () => {
  const codesWithin = async (phone: string, requests: number, pauseSeconds: number) => {
    let codes = 0
    for (let request = 0; request < requests; request += 1) {
      if (codeIn((await sendText(portal, phone)).reply)) codes += 1
      await letTimePass(portal, phone, pauseSeconds)
    }
    return codes
  }

  test('security row 11: one code in 60 s, five an hour, ten a day for a phone', async () => {
    expect(await codesWithin(aPhone(), 4, 59)).toBe(2)
    expect(await codesWithin(aPhone(), 4, 60)).toBe(4)
    expect(await codesWithin(aPhone(), 8, 61)).toBe(5)
    expect(await codesWithin(aPhone(), 16, 20 * MINUTE)).toBe(10)
    expect(await codesWithin(aPhone(), 12, 150 * MINUTE)).toBe(12)
  })

  test('security row 11: a phone that requests too often gets the waiting time, and its current code stays valid', async () => {
    const phone = aPhone()
    const code = await receiveCode(portal, phone)
    const again = await sendText(portal, phone)
    expect(again.reply).toMatch(
      /^Tinh Hoa Ninja: Ban da yeu cau ma OTP qua nhieu lan\. Vui long thu lai sau \d+ giay\.$/,
    )
    expect((await tryCode(portal, { phone, code })).status).toBe(200)
  })

  test('security row 11: of 32 messages that come at once from one phone, one brings a code', async () => {
    const phone = aPhone()
    const replies = await Promise.all(Array.from({ length: 32 }, () => sendText(portal, phone)))
    expect(replies.filter(({ reply }) => codeIn(reply))).toHaveLength(1)
    expect(replies.every(({ status }) => status === 200)).toBe(true)
  })

  test.each(['84123456789', '8490123456', '849012345678', '+12025550123', '6591234567', '7039'])(
    'security row 11: %s, which is no Vietnamese mobile number, gets no code and no answer',
    async (msisdn) => {
      const { status, reply, body } = await sendText(portal, msisdn)
      expect([status, reply, Object.keys(body)]).toEqual([200, '', ['message_id', 'reply']])
    },
  )
})

/** As if so many codes had been made today. */
const sentToday = (prefix: string, sent: number) =>
  sql`INSERT INTO sms_code_day (day, prefix, sent)
      VALUES ((now() AT TIME ZONE 'Asia/Ho_Chi_Minh')::date, ${prefix}, ${sent})`.execute(portal.db)

let nextNumber = 1_000
const phoneOf = (prefix: string) => `${prefix}${String((nextNumber += 1)).padStart(6, '0')}`
const getsCode = async (prefix: string) =>
  codeIn((await sendText(portal, phoneOf(prefix))).reply) !== undefined
const alarms = () =>
  portal
    .logged()
    .split('\n')
    .filter((line) => line.includes('otp.ceiling'))
    .map((line) => JSON.parse(line) as { level: string; percent: number; sent: number })

test('security row 11: numbers that begin alike share a ceiling; others are not touched', async () => {
  await sentToday('84901', PREFIX_CODES_PER_DAY - 1)
  expect(await getsCode('84901')).toBe(true)
  expect(await getsCode('84901')).toBe(false)
  expect(await getsCode('84902')).toBe(true)
})

test('security row 11: the day has a ceiling for all, with an alarm at 80 % and at the ceiling, each once', async () => {
  await sentToday('', CODES_PER_DAY * 0.8 - 2)
  for (let message = 0; message < 5; message += 1) expect(await getsCode('84903')).toBe(true)
  expect(alarms()).toMatchObject([{ level: 'warn', percent: 80, sent: CODES_PER_DAY * 0.8 }])

  await portal.db
    .updateTable('sms_code_day')
    .set({ sent: CODES_PER_DAY - 2 })
    .where('prefix', '=', '')
    .execute()
  const got = []
  for (let message = 0; message < 4; message += 1) got.push(await getsCode('84904'))
  expect(got).toEqual([true, true, false, false])
  expect(alarms().map(({ percent }) => percent)).toEqual([80, 100])

  const { reply } = await sendText(portal, phoneOf('84905'))
  expect(reply).toBe(
    'Tinh Hoa Ninja: He thong dang tam ngung gui ma OTP vi qua tai. Ban vui long thu lai vao ngay mai.',
  )
})

test('security row 11: a day ends at midnight in Vietnam', async () => {
  await sentToday('', CODES_PER_DAY)
  await portal.db
    .updateTable('sms_code_day')
    .set({ day: sql<Date>`day - 1` })
    .execute()
  expect(await getsCode('84906')).toBe(true)
})
