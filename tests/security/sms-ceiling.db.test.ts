import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { CODES_PER_DAY, PREFIX_CODES_PER_DAY } from '#server/modules/otp/sms.rules.ts'
import { useTestApp } from '#tests/support/app.ts'
import { codeIn, sendText } from '#tests/support/phones.ts'

const portal = useTestApp()
beforeEach(() => portal.db.deleteFrom('sms_code_day').execute())

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
