import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPhone, codeIn, letTimePass, receiveCode, sendText, tryCode } from '#tests/support/phones.ts'

const portal = useTestApp()

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

  test('security row 11: a phone that asks too often gets the waiting time, and keeps its current code', async () => {
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
