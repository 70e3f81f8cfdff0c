import type { RawBuilder } from 'kysely'
import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import {
  NOTICE_KINDS,
  type listNotices as listNoticesCall,
  type Notice,
  type NoticePreferences,
  type NoticeState,
  type putNoticePreferences,
  type readNotices,
} from '#contract/notices.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { queueMailWithNext, type Mail } from '#server/modules/mail/index.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { machineLimit } from '#server/platform/limits/limits.ts'
import {
  countUnread,
  eraseNoticesOf,
  exportNotices,
  exportPreferences,
  insertNotice,
  markRead,
  removeOldNotices,
  selectNotices,
  selectPreferences,
  upsertPreferences,
  type NoticeRow,
} from './notices.queries.ts'
import { EVENTS, wordsOf, type NewNotice } from './notices.rules.ts'

/**
 * Tells a player about an event, in the event's own transaction and however often it is repeated: once. Goes with the next
 * statement of the transaction, COMMIT at the latest. `isWanted`: a condition that only the database knows.
 */
export async function addNotice(
  tx: Tx,
  userId: string,
  notice: NewNotice,
  isWanted?: RawBuilder<boolean>,
): Promise<void> {
  await sendWithNext(tx, noticePart(tx, userId, notice, isWanted).compile(tx))
}

/**
 * The same as a part (`WITH notice AS (…)`) of a statement that the caller sends, for transactions of money, in which each
 * statement counts. Every notice is written by this, whichever way the player is told.
 */
export function noticePart(
  tx: Tx,
  userId: string,
  { event, subject, data }: NewNotice,
  isWanted?: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const notice = {
    userId,
    kind: EVENTS[event].kind,
    subject: `${event} ${subject}`,
    data: { event, ...data },
  }
  return insertNotice(tx, notice, isWanted)
}

/**
 * The mail about the event of a notice, in the same transaction: another way of telling it, which no preference turns off.
 * Goes with the next statement.
 */
export const mailBeside = (vault: Vault, tx: Tx, mail: Mail): Promise<void> =>
  queueMailWithNext(vault, tx, mail)

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

/** What the event stream sends. */
export async function readState(db: Db, userId: string): Promise<NoticeState> {
  const [latest] = await describe(db, await selectNotices(db, { userId, after: null, limit: 1 }))
  return { unread: await countUnread(db, userId), latest: latest ?? null }
}

async function describe(db: Db, rows: readonly NoticeRow[]): Promise<Notice[]> {
  const names = await readGameNames(db)
  return rows.flatMap(({ id, kind, data, createdAt, isRead }) => {
    const words = wordsOf(data, names)
    return words === null ? [] : [{ id, kind, ...words, created_at: createdAt.toISOString(), read: isRead }]
  })
}

const CHANGES_PER_PLAYER = machineLimit('notice-changes', 120, 60)

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

export async function readPreferences(db: Db, userId: string): Promise<NoticePreferences> {
  const stored = new Map((await selectPreferences(db, userId)).map(({ kind, byBell }) => [kind, byBell]))
  return Object.fromEntries(
    NOTICE_KINDS.map((kind) => [kind, { bell: stored.get(kind) ?? true }]),
  ) as NoticePreferences
}

export async function changePreferences(
  { db, limits }: Deps,
  userId: string,
  chosen: BodyOf<typeof putNoticePreferences>,
): Promise<NoticePreferences> {
  await limits.consume(CHANGES_PER_PLAYER, userId)
  const preferences = NOTICE_KINDS.flatMap((kind) => {
    const one = chosen[kind]
    return one === undefined ? [] : [{ kind, byBell: one.bell }]
  })
  await upsertPreferences(db, userId, preferences)
  return readPreferences(db, userId)
}

const HOUR_MS = 3_600_000

export const startNoticeJobs = (deps: Pick<PlatformDeps, 'db' | 'log'>): Loop[] =>
  startLoops(deps.log, [{ name: 'old notices', pauseMs: HOUR_MS, round: () => removeOldNotices(deps) }])

export const personalNotices: PersonalPart = {
  lists: { notices: exportNotices, notice_preferences: exportPreferences },
  erase: eraseNoticesOf,
}
