import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, sqlState } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { isId } from './posts.rules.ts'
import { insertViews, removeViewsBefore, type View } from './posts.queries.ts'

/** Views that this process has noted and not written yet. A crash loses them, which such a figure can bear. */
type Unwritten = {
  views: Map<string, View>
  /** Visits that wait for their visitor's hash. */
  arriving: Set<Promise<void>>
  timer: NodeJS.Timeout | null
}

type Visit = { postId: string; address: string; userAgent: string | undefined }

type ViewsDeps = Pick<PlatformDeps, 'db' | 'log' | 'clock' | 'vault'>

const FLUSH_MS = 15_000
/** Some MB at most. What a process sees beyond this within 15 s stays uncounted. */
const UNWRITTEN_MAX = 50_000
const BATCH_ROWS = 1_000

const unwrittenOf = new WeakMap<Db, Unwritten>()

function unwrittenIn({ db }: ViewsDeps): Unwritten {
  const known = unwrittenOf.get(db)
  if (known) return known
  const fresh: Unwritten = { views: new Map(), arriving: new Set(), timer: null }
  unwrittenOf.set(db, fresh)
  return fresh
}

/**
 * Notes that somebody saw a post: once per visitor and day, robots left out. Takes no time of the request: the figure
 * is written later, by the process that saw the visit. Address and agent are stored only as a hash, with another salt each day.
 */
export function countView(deps: ViewsDeps, visit: Visit): void {
  if (!isId(visit.postId) || isDeclaredRobot(visit.userAgent)) return
  const unwritten = unwrittenIn(deps)
  if (unwritten.views.size + unwritten.arriving.size >= UNWRITTEN_MAX) return
  const day = dayOf(deps.clock.now())
  const arriving = visitorOf(deps, { ...visit, day })
    .then(
      (visitor) => {
        unwritten.views.set(`${visit.postId} ${day} ${visitor}`, { postId: visit.postId, day, visitor })
      },
      (error: unknown) => deps.log.warn({ err: error }, 'a view was not counted'),
    )
    .finally(() => unwritten.arriving.delete(arriving))
  unwritten.arriving.add(arriving)
  flushLater(deps)
}

async function visitorOf({ vault }: ViewsDeps, visit: Visit & { day: string }): Promise<string> {
  const { day, address, userAgent = '' } = visit
  return (await vault.hash('views', `${day}\n${address}\n${userAgent}`)).toString('hex').slice(0, 32)
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
    await writeViews(
      deps,
      batch.map(([, view]) => view),
    )
    for (const [key] of batch) views.delete(key)
  }
}

/** One that cannot be written is lost and leaves the others; where none can be, it throws. */
async function writeViews(deps: ViewsDeps, views: readonly View[]): Promise<void> {
  try {
    await inTransaction(deps.db, (tx) => insertViews(tx, views))
  } catch (error) {
    // Without a state the database was not reached.
    if (views.length === 1 || sqlState(error) === undefined) throw error
    const half = Math.ceil(views.length / 2)
    const written = await Promise.allSettled([
      writeViews(deps, views.slice(0, half)),
      writeViews(deps, views.slice(half)),
    ])
    if (written.every(({ status }) => status === 'rejected')) throw error
    deps.log.warn({ err: error }, 'some views could not be written')
  }
}

/** The last write of a process that stops. */
export async function closeViews(deps: ViewsDeps): Promise<void> {
  clearTimeout(unwrittenIn(deps).timer ?? undefined)
  // The process ends either way; a few views are the smaller loss.
  await flushViews(deps).catch((error: unknown) => deps.log.warn({ err: error }, 'the last views were lost'))
}

/** Forgets the visitors of past days; returns whether more are left. */
export async function purgeViews(deps: ViewsDeps): Promise<boolean> {
  return removeViewsBefore(deps, dayBefore(dayOf(deps.clock.now())))
}

/** User agents that declare themselves as no reader: crawlers, link previews, monitors. Cubot makes phones. */
const DECLARED_ROBOT =
  /(?<!\bcu)bot(?:\b|[_-])|crawl|spider|slurp|facebookexternalhit|facebookcatalog|meta-external|mediapartners|lighthouse|pagespeed|pingdom|uptime|monitoring|link ?preview|bingpreview|archiver|validator|feedfetcher/i

export function isDeclaredRobot(userAgent: string | undefined): boolean {
  return userAgent !== undefined && DECLARED_ROBOT.test(userAgent)
}

const vietnamDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Ho_Chi_Minh', dateStyle: 'short' })

/** The day of a moment where the players live, as `2026-11-21`. */
export function dayOf(moment: Date): string {
  return vietnamDay.format(moment)
}

/** The day before, the oldest whose views may still be waiting to be written. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)
}

const PURGE_MS = 3_600_000

/** Views themselves are written by the process that saw them; see `closeViews`. */
export function startPostJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'posts.purge', pauseMs: PURGE_MS, round: () => purgeViews(deps) }])
}
