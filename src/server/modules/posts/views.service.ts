import { createHmac } from 'node:crypto'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { isId } from './posts.rules.ts'
import { deleteViewsBefore, findHashKey, insertViews, type View } from './views.queries.ts'
import { dayBefore, dayOf, isDeclaredRobot } from './views.rules.ts'

/** Views that this process has noted and not written yet. A crash loses them, which such a figure can bear. */
type Unwritten = {
  views: Map<string, View>
  /** Visits that wait for the day's salt. */
  arriving: Set<Promise<void>>
  salt: { day: string; value: Promise<Buffer> } | null
  timer: NodeJS.Timeout | null
}

export type Visit = { postId: string; address: string; userAgent: string | undefined }

type ViewsDeps = Pick<PlatformDeps, 'db' | 'log' | 'clock'>

const FLUSH_MS = 15_000
/** Some MB at most. What a process sees beyond this within 15 s stays uncounted. */
const UNWRITTEN_MAX = 50_000
const BATCH_ROWS = 1_000
const PURGE_ROWS = 5_000

const unwrittenOf = new WeakMap<Db, Unwritten>()

function unwrittenIn({ db }: ViewsDeps): Unwritten {
  const known = unwrittenOf.get(db)
  if (known) return known
  const fresh: Unwritten = { views: new Map(), arriving: new Set(), salt: null, timer: null }
  unwrittenOf.set(db, fresh)
  return fresh
}

/**
 * Notes that somebody saw a post: once per visitor and day, robots left out. Takes no time of the request: the figure
 * is written later, by the process that saw the visit. Address and agent are kept only as a hash, salted anew each day.
 */
export function countView(deps: ViewsDeps, visit: Visit): void {
  if (!isId(visit.postId) || isDeclaredRobot(visit.userAgent)) return
  const unwritten = unwrittenIn(deps)
  if (unwritten.views.size + unwritten.arriving.size >= UNWRITTEN_MAX) return
  const day = dayOf(deps.clock.now())
  const arriving = saltOf(deps, day)
    .then(
      (salt) => note(unwritten, salt, { ...visit, day }),
      (error: unknown) => deps.log.warn({ err: error }, 'a view was not counted'),
    )
    .finally(() => unwritten.arriving.delete(arriving))
  unwritten.arriving.add(arriving)
  flushLater(deps)
}

function note(unwritten: Unwritten, salt: Buffer, visit: Visit & { day: string }): void {
  const { postId, day, address, userAgent = '' } = visit
  const visitor = createHmac('sha256', salt).update(`${address}\n${userAgent}`).digest('hex').slice(0, 32)
  unwritten.views.set(`${postId} ${day} ${visitor}`, { postId, day, visitor })
}

function saltOf(deps: ViewsDeps, day: string): Promise<Buffer> {
  const unwritten = unwrittenIn(deps)
  if (unwritten.salt?.day === day) return unwritten.salt.value
  const value = findHashKey(deps.db).then((key) => createHmac('sha256', key).update(`views ${day}`).digest())
  const salt = { day, value }
  unwritten.salt = salt
  // A salt that could not be had is asked for again at the next visit.
  value.catch(() => {
    if (unwritten.salt === salt) unwritten.salt = null
  })
  return value
}

function flushLater(deps: ViewsDeps): void {
  const unwritten = unwrittenIn(deps)
  unwritten.timer ??= setTimeout(() => {
    unwritten.timer = null
    flushViews(deps).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'views could not be written yet')
      flushLater(deps)
    })
  }, FLUSH_MS).unref()
}

/** Writes everything noted so far, batch by batch. What could not be written goes on waiting. */
export async function flushViews(deps: ViewsDeps): Promise<void> {
  const { views, arriving } = unwrittenIn(deps)
  await Promise.all(arriving)
  while (views.size > 0) {
    const batch = [...views].slice(0, BATCH_ROWS)
    const rows = batch.map(([, view]) => view)
    await inTransaction(deps.db, (tx) => insertViews(tx, rows))
    for (const [key] of batch) views.delete(key)
  }
}

/** The last write of a process that stops. */
export async function closeViews(deps: ViewsDeps): Promise<void> {
  clearTimeout(unwrittenIn(deps).timer ?? undefined)
  // The process ends either way; a few views are the smaller loss.
  await flushViews(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'the last views were lost'))
}

/** Forgets the visitors of past days; answers whether more are left. */
export async function purgeViews(deps: ViewsDeps): Promise<boolean> {
  const yesterday = dayBefore(dayOf(deps.clock.now()))
  return (await deleteViewsBefore(deps.db, yesterday, PURGE_ROWS)) === PURGE_ROWS
}
