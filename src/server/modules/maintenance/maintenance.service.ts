import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import type { Closures, MaintenanceSection } from '#contract/maintenance.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import type { operatorMaintenance } from '#contract/operator/maintenance.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Identity, UserCall } from '#server/platform/http/api.ts'
import { invalidField, Refusal } from '#server/platform/http/refusal.ts'
import { notify } from '#server/platform/db/notices.ts'
import { lockSections, selectSections, updateSection, type StoredSection } from './maintenance.queries.ts'
import { closureOf, isInForce, noticeOf, sectionsOf } from './maintenance.rules.ts'

type Answer = AnswerOf<typeof operatorMaintenance.get>

const asClosures = (stored: readonly StoredSection[]): Closures =>
  Object.fromEntries(stored.flatMap(({ section, closure }) => (closure === null ? [] : [[section, closure]])))

const describe = (stored: readonly StoredSection[]): Answer => ({
  sections: Object.fromEntries(
    stored.map(({ section, closure }) => [section, closure]),
  ) as Answer['sections'],
  updated_at: new Date(Math.max(...stored.map(({ updatedAt }) => updatedAt.getTime()))).toISOString(),
})

export const getMaintenance = async (db: Db): Promise<Answer> => describe(await selectSections(db))

/** What is closed now, a sentence each, for the public settings; empty when nothing is. */
export async function listClosureNotices({
  db,
  clock,
}: Pick<PlatformDeps, 'db' | 'clock'>): Promise<string[]> {
  const now = clock.now()
  const stored = await selectSections(db)
  return stored.flatMap(({ section, closure }) =>
    closure !== null && isInForce(closure, now) ? [noticeOf(section, closure)] : [],
  )
}

const IN_THE_PAST = 'Thời điểm kết thúc phải ở tương lai'

/** Closes and opens sections. `onChanged` is called once it is committed. */
export async function changeMaintenance(
  deps: PlatformDeps & { onChanged(): void },
  call: UserCall<typeof operatorMaintenance.update>,
): Promise<Answer> {
  const { sections, updated_at } = call.body
  const changes = Object.entries(sections) as [MaintenanceSection, StoredSection['closure']][]
  const now = deps.clock.now()
  if (changes.some(([, closure]) => closure !== null && !isInForce(closure, now)))
    throw invalidField('until', IN_THE_PAST)
  const answer = await actAsOperator(deps, call, {
    action: 'maintenance.update',
    async work(tx) {
      const before = describe(await lockSections(tx))
      if (Date.parse(before.updated_at) !== Date.parse(updated_at))
        throw new Refusal('CONFLICT', {
          message: 'Người khác vừa thay đổi phần bảo trì. Hãy xem lại rồi lưu lần nữa',
          present: before,
        })
      for (const [section, closure] of changes) await updateSection(tx, section, closure)
      notify(tx, 'content_changed', 'maintenance')
      const after = describe(await selectSections(tx))
      return {
        answer: after,
        audit: {
          subject: { type: 'maintenance', id: changes.map(([section]) => section).join(',') || 'none' },
          details: { before: before.sections, after: after.sections },
        },
      }
    },
  })
  deps.onChanged()
  return answer
}

/** How long what was read counts when no notification comes: one may be lost with its connection. */
const AGE_MAX_MS = 1_000

type Gate = {
  /** Throws MAINTENANCE where the call is closed for this caller. */
  assertOpen(endpoint: Endpoint, identity: Identity | null): Promise<void>
  /** What is closed has changed. */
  forget(): void
}

/** Keeps what is closed in memory: notified of each change, and read again each second that players call. */
export function watchMaintenance({ db, clock, listener }: PlatformDeps): Gate {
  let read: { at: number; closures: Promise<Closures> } | null = null
  const forget = () => {
    read = null
  }
  listener.on('content_changed', forget)
  listener.onReconnect(forget)
  const current = (): Promise<Closures> => {
    const at = performance.now()
    if (read === null || at - read.at > AGE_MAX_MS) {
      const closures = selectSections(db).then(asClosures)
      closures.catch(forget)
      read = { at, closures }
    }
    return read.closures
  }
  return {
    forget,
    async assertOpen(endpoint, identity) {
      const sections = sectionsOf(endpoint)
      if (sections.length === 0 || (identity?.permissions.length ?? 0) > 0) return
      const closures = await current()
      const closure = closureOf(closures, sections, clock.now())
      if (closure === undefined) return
      const { message, until } = closure
      throw new Refusal('MAINTENANCE', {
        message: until === null ? message : `${message} (mở lại lúc ${formatMoment(until)})`,
        until,
        ...(until === null ? {} : { retryAfterSeconds: secondsTo(until, clock.now()) }),
      })
    },
  }
}

const secondsTo = (until: string, now: Date) =>
  Math.max(1, Math.ceil((Date.parse(until) - now.getTime()) / 1_000))
