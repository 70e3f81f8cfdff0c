import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { anEmail, giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { noticesOf } from '#tests/support/notices.ts'
import type { TestPlayer } from '#tests/support/players.ts'
import { lockDueDigests } from './digest.queries.ts'
import { mailUnread } from './digest.service.ts'
import { addNotice } from './notices.service.ts'

const portal = useTestApp()
const test = testWith(portal)

const HOUR_MS = 3_600_000
/** An hour of a day in Vietnam, so many days from today. */
function at(days: number, hour: number) {
  const inVietnam = new Date(Date.now() + 7 * HOUR_MS)
  const midnight = Date.parse(inVietnam.toISOString().slice(0, 10)) - 7 * HOUR_MS
  return { ...portal.deps, clock: { now: () => new Date(midnight + (24 * days + hour) * HOUR_MS) } }
}

let made = 0
const tell = ({ id }: TestPlayer, coins = 10_000) =>
  inTransaction(portal.db, (tx) =>
    addNotice(tx, id, {
      event: 'recharge-credited',
      subject: `digest ${++made}`,
      data: { coins, bonus: 0, paid: 0, code: null },
    }),
  )

const choose = ({ token }: TestPlayer, digest: boolean) =>
  portal.call('PUT', '/api/notices/preferences', { token, body: { digest } })
const digests = async (email: string) =>
  (await lettersTo(portal, email)).filter(({ kind }) => kind === 'unread-notices')

async function aReader(player: TestPlayer): Promise<string> {
  const email = anEmail()
  await giveVerifiedEmail(portal, player.id, email)
  expect((await choose(player, true)).body.digest).toBe(true)
  return email
}

describe('the daily mail', () => {
  test('is off until the player turns it on, which needs a proved address; both are recorded', async ({
    player,
  }) => {
    const refused = await choose(player, true)
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
    const email = await aReader(player)
    await tell(player)
    expect((await choose(player, false)).body.digest).toBe(false)
    await mailUnread(at(1, 9))
    expect(await digests(email)).toEqual([])
    const rows = await portal.db
      .selectFrom('consent')
      .select(['is_given', 'source'])
      .where('user_id', '=', player.id)
      .where('subject', '=', 'digest')
      .orderBy('id')
      .execute()
    expect(rows.map(({ is_given }) => is_given)).toEqual([true, false])
  })

  test('has what is unread since the last one, comes once a day from the next morning on, and says how to stop it', async ({
    player,
  }) => {
    await tell(player, 1_000)
    const email = await aReader(player)
    await tell(player, 2_000)
    await tell(player, 3_000)
    const [read] = await noticesOf(portal, player)
    await portal.call('POST', '/api/notices/read', {
      token: player.token,
      body: { until: read!.id, from: read!.id },
    })
    await tell(player, 4_000)
    await mailUnread(at(0, 23))
    await mailUnread(at(1, 7))
    expect(await digests(email)).toEqual([])
    await Promise.all([mailUnread(at(1, 8)), mailUnread(at(1, 8)), mailUnread(at(1, 9))])
    const letters = await digests(email)
    expect(letters).toMatchObject([
      {
        subject: 'Bạn có 2 thông báo chưa đọc',
        paragraphs: [
          'Từ thư trước đến nay:',
          '– Đã cộng 4,000 TCoin. Khoản chuyển của bạn đã đến.',
          '– Đã cộng 2,000 TCoin. Khoản chuyển của bạn đã đến.',
        ],
        action: { url: expect.stringMatching(/\/user\/notices$/) },
        closing: [expect.stringMatching(/hãy tắt “Thư mỗi ngày” .*\/user\/notices#ways$/)],
      },
    ])
    await mailUnread(at(2, 9))
    expect(await digests(email)).toHaveLength(1)
    for (let n = 0; n < 12; n++) await tell(player)
    await mailUnread(at(3, 9))
    const last = (await digests(email)).at(-1)
    expect(last?.subject).toBe('Bạn có 12 thông báo chưa đọc')
    expect(last?.paragraphs.slice(-1)).toEqual(['Và 2 thông báo khác.'])
  })

  test('comes on the next day also where a clock that was two days ahead made one', async ({ player }) => {
    const email = await aReader(player)
    await tell(player)
    await mailUnread(at(3, 9))
    expect(await digests(email)).toHaveLength(1)
    await tell(player)
    await mailUnread(at(1, 9))
    await mailUnread(at(1, 10))
    expect(await digests(email)).toHaveLength(2)
    const day = vietnamDay(at(1, 9).clock.now())
    expect(await inTransaction(portal.db, (tx) => lockDueDigests(tx, day, [player.id]))).toEqual([])
  })

  test('is made by one worker: what it has taken is passed over by another', async ({ player }) => {
    await aReader(player)
    const due = (tx: Tx) => lockDueDigests(tx, '9999-01-01', [player.id])
    await inTransaction(portal.db, async (one) => {
      expect((await due(one)).map(({ userId }) => userId)).toContain(player.id)
      expect(await inTransaction(portal.db, due)).toEqual([])
    })
  })

  test('goes to no address that is not proved any more', async ({ player }) => {
    const email = await aReader(player)
    await tell(player)
    await sql`UPDATE user_contacts SET email_verified_at = NULL WHERE user_id = ${player.id}::bigint`.execute(
      portal.db,
    )
    await mailUnread(at(1, 9))
    expect(await digests(email)).toEqual([])
  })
})
