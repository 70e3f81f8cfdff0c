import { UNREAD_MAX } from '#contract/constants.ts'
import { pages, paths } from '#contract/pages.ts'
import type { Notice } from '#contract/notices.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Mail, queueMailWithNext } from '#server/modules/mail/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { vietnamDay, vietnamDayBounds } from '#server/platform/values/vietnam-time.rules.ts'
import { listDueDigests, lockDueDigests, markDigestsMade, selectUnread } from './digest.queries.ts'
import { removeOldNotices } from './notices.queries.ts'
import { describe } from './notices.service.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'

type DigestDeps = Pick<PlatformDeps, 'db' | 'vault' | 'clock' | 'log'> & { publicUrl: string }

const HOUR_MS = 3_600_000
/** Nobody reads it at night. */
const MADE_FROM_HOUR = 8
/** Of one transaction, since each may be a mail. */
const PLAYERS_AT_ONCE = 50
const SHOWN_MAX = 10
const USEFUL_MINUTES = 720

/**
 * Mails players who want it what they have not read since the last such mail: one mail a day in Vietnam, queued in the
 * transaction that notes the day, and none where nothing is new. True when there may be more.
 */
export async function mailUnread(deps: DigestDeps): Promise<boolean> {
  const now = deps.clock.now()
  const day = vietnamDay(now)
  const start = vietnamDayBounds(day)?.start.getTime() ?? Infinity
  if (now.getTime() - start < MADE_FROM_HOUR * HOUR_MS) return false
  const make = (userIds: readonly string[]) => makeDigests(deps, userIds, { day, now })
  return workOff(deps, {
    job: 'mails of unread notices',
    limit: PLAYERS_AT_ONCE,
    list: (db, isResting) => listDueDigests(db, isResting, { day, limit: PLAYERS_AT_ONCE }),
    work: async (id) => (await make([id])) > 0,
    workAll: make,
  })
}

/** Those of some players in one transaction; answers of how many. */
async function makeDigests(
  { db, vault, publicUrl }: DigestDeps,
  userIds: readonly string[],
  { day, now }: { day: string; now: Date },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await lockDueDigests(tx, day, userIds)
    if (due.length === 0) return 0
    const rows = await selectUnread(tx, due, { limit: UNREAD_MAX, now })
    const unread = Map.groupBy(rows, ({ userId }) => userId)
    const notices = new Map(
      (
        await describe(
          tx,
          rows.filter(({ isOver }) => !isOver),
        )
      ).map((notice) => [notice.id, notice]),
    )
    const made = due.map(({ userId, toldUntil }) => ({
      userId,
      toldUntil: unread.get(userId)?.[0]?.id ?? toldUntil,
    }))
    await markDigestsMade(tx, made, day)
    for (const { userId, username, email } of due) {
      const own = (unread.get(userId) ?? []).flatMap(({ id }) => notices.get(id) ?? [])
      if (email !== null && own.length > 0)
        await queueMailWithNext(vault, tx, digestMail({ to: email, username }, own, publicUrl))
    }
    return due.length
  })
}

function digestMail(
  to: { to: string; username: string },
  unread: readonly Notice[],
  publicUrl: string,
): Mail {
  const count = unread.length < UNREAD_MAX ? String(unread.length) : `hơn ${UNREAD_MAX}`
  const rest = unread.length - SHOWN_MAX
  return {
    ...to,
    kind: 'unread-notices',
    subject: `Bạn có ${count} thông báo chưa đọc`,
    paragraphs: [
      'Từ thư trước đến nay:',
      ...unread.slice(0, SHOWN_MAX).map(({ title, text }) => `– ${title}. ${text}`),
      ...(rest > 0 ? [`Và ${unread.length < UNREAD_MAX ? rest : `hơn ${rest}`} thông báo khác.`] : []),
    ],
    action: { label: 'Xem thông báo', url: publicUrl + paths.notices },
    closing: [
      `Nếu không muốn nhận thư này, hãy tắt “Thư mỗi ngày” ở mục ${pages.notices.title}: ${publicUrl}${paths.notices}#ways`,
    ],
    usefulMinutes: USEFUL_MINUTES,
  }
}

const TEN_MINUTES_MS = 600_000

export const startNoticeJobs = (deps: DigestDeps): Loop[] =>
  startLoops(deps.log, [
    { name: 'old notices', pauseMs: HOUR_MS, round: () => removeOldNotices(deps) },
    { name: 'mails of unread notices', pauseMs: TEN_MINUTES_MS, round: () => mailUnread(deps) },
  ])
