import type { RawBuilder } from 'kysely'
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type {
  listNotices as listNoticesCall,
  Notice,
  NoticeState,
  readNotices,
  readNoticesOfPage,
} from '#contract/notices.ts'
import { pages } from '#contract/pages.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { queueMailWithNext } from '#server/modules/mail/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import { invariant } from '#server/platform/values/errors.ts'
import {
  countUnread,
  eraseNoticesOf,
  exportDigest,
  exportNotices,
  exportPreferences,
  insertFoundNotices,
  insertNotice,
  insertNotices,
  markEachRead,
  markRead,
  selectMailed,
  selectNotices,
  selectNoticesById,
  selectUnread,
  type NoticeRow,
} from './notices.queries.ts'
import { EVENTS, wordsOf, type NewNotice } from './notices.rules.ts'

/**
 * Tells a player, or several, about an event, in the event's own transaction and however often it is repeated: once. Goes with the next
 * statement of the transaction, COMMIT at the latest. `isWanted`: a condition that only the database knows.
 */
export async function addNotice(
  tx: Tx,
  recipients: string | readonly string[],
  notice: NewNotice,
  isWanted?: RawBuilder<boolean>,
): Promise<void> {
  if (recipients.length === 0) return
  await sendWithNext(tx, noticePart(tx, recipients, notice, isWanted).compile(tx))
}

/** The same about several events, each for its own players, in one statement for all of a kind. */
export async function addNotices(
  tx: Tx,
  notices: readonly (NewNotice & { recipients: readonly string[] })[],
): Promise<void> {
  const told = notices.flatMap(({ recipients, event, subject, data }) =>
    recipients.map((userId) => ({ userId, subject: `${event} ${subject}`, data: { event, ...data } })),
  )
  for (const [kind, some] of Map.groupBy(told, ({ data: { event } }) => EVENTS[event].kind))
    await sendWithNext(tx, insertNotices(tx, kind, some).compile(tx))
}

/**
 * The same as a part (`WITH notice AS (…)`) of a statement that the caller sends, for transactions of money, in which each
 * statement counts. Every notice is written by this, whichever way the player is told.
 */
export function noticePart(
  tx: Tx,
  recipients: string | readonly string[],
  { event, subject, data }: NewNotice,
  isWanted?: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const notice = {
    userIds: typeof recipients === 'string' ? [recipients] : recipients,
    kind: EVENTS[event].kind,
    subject: `${event} ${subject}`,
    data: { event, ...data },
  }
  return insertNotice(tx, notice, isWanted)
}

/**
 * The same about whatever a query finds, each row once: it has a `subject`, and the `data` that the event's words take.
 */
export function foundNoticesPart(
  tx: Tx,
  userId: string,
  { event, found }: { event: NewNotice['event']; found: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return insertFoundNotices(tx, { userIds: [userId], kind: EVENTS[event].kind, event, found })
}

type ReminderDeps = Pick<PlatformDeps, 'vault'> & { publicUrl: string }

/** `action`: what the button of the mail says. */
type Reminder = { notice: NewNotice; action: string; usefulMinutes: number }

/** A notice that also goes by mail to those with a proved address, unless they do not want mails of its kind. */
export async function addReminder(
  { vault, publicUrl }: ReminderDeps,
  tx: Tx,
  userIds: readonly string[],
  { notice, action, usefulMinutes }: Reminder,
): Promise<void> {
  await addNotice(tx, userIds, notice)
  const { event, data } = notice
  const words = wordsOf({ ...data, event }, { withItemNames: (goods) => [...goods], captain: '' })
  invariant(words, 'an event of this release has its words')
  for (const { username, email } of await selectMailed(tx, userIds, EVENTS[event].kind)) {
    await queueMailWithNext(vault, tx, {
      kind: event,
      to: email,
      username,
      subject: words.title,
      paragraphs: [words.text],
      action: { label: action, url: publicUrl + words.href },
      closing: [NOT_BY_MAIL],
      usefulMinutes,
    })
  }
}

const NOT_BY_MAIL = `Nếu không muốn nhận thư nhắc, hãy tắt ở mục ${pages.notices.title} trên cổng.`

const PAGE_ROWS = 20

export async function listNotices(
  db: Db,
  userId: string,
  { after = null }: { after?: string | null | undefined },
): Promise<AnswerOf<typeof listNoticesCall>> {
  const rows = await selectNotices(db, { userId, after, limit: PAGE_ROWS + 1 })
  const shown = rows.slice(0, PAGE_ROWS)
  const last = rows.length > PAGE_ROWS ? shown.at(-1)?.id : undefined
  return {
    data: await describe(db, shown),
    payload: { unread: await countUnread(db, userId), after: last ?? null },
  }
}

/** Notices in words, by id; one of a newer release is left out. */
export async function findNotices(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, Notice>> {
  if (ids.length === 0) return new Map()
  const notices = await describe(db, await selectNoticesById(db, ids))
  return new Map(notices.map((notice) => [notice.id, notice]))
}

/** What the event stream sends. */
export async function readState(db: Db, userId: string): Promise<NoticeState> {
  const [latest] = await describe(db, await selectNotices(db, { userId, after: null, limit: 1 }))
  return { unread: await countUnread(db, userId), latest: latest ?? null }
}

/** In words; those of a newer release are left out. */
export async function describe(db: Db | Tx, rows: readonly NoticeRow[]): Promise<Notice[]> {
  const names = await readGameNames(db)
  return rows.flatMap(({ id, kind, data, captain, createdAt, isRead }) => {
    const known = { withItemNames: names.withItemNames.bind(names), captain: captain ?? '' }
    const words = wordsOf(data, known)
    return words === null ? [] : [{ id, kind, ...words, created_at: createdAt.toISOString(), read: isRead }]
  })
}

/** Marks and preferences. */
export const CHANGES_PER_PLAYER = machineLimit('notice-changes', 120, 60)

type Deps = Pick<PlatformDeps, 'db' | 'limits'>

export async function readUntil(
  { db, limits }: Deps,
  userId: string,
  { until, from }: BodyOf<typeof readNotices>,
): Promise<AnswerOf<typeof readNotices>> {
  await limits.consume(CHANGES_PER_PLAYER, userId)
  while (await markRead(db, { userId, from: from ?? null, until }));
  return { unread: await countUnread(db, userId) }
}

/** Whoever sees a page has read what leads to it. */
export async function readPage(
  { db, limits }: Deps,
  userId: string,
  { href }: BodyOf<typeof readNoticesOfPage>,
): Promise<AnswerOf<typeof readNoticesOfPage>> {
  await limits.consume(CHANGES_PER_PLAYER, userId)
  const seen = (await describe(db, await selectUnread(db, userId))).filter((notice) => notice.href === href)
  if (seen.length > 0)
    await markEachRead(
      db,
      userId,
      seen.map(({ id }) => id),
    )
  return { unread: await countUnread(db, userId) }
}

export const personalNotices: PersonalPart = {
  lists: {
    notices: exportNotices,
    notice_preferences: exportPreferences,
    notice_digest: exportDigest,
  },
  erase: eraseNoticesOf,
}
