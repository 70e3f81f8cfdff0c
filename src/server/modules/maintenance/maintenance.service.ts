import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import type { Closures, MaintenanceSection, operatorMaintenance } from '#contract/operator/maintenance.ts'
import { formatMoment } from '#contract/format.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { cachedContent, contentChanges } from '#server/domain/content.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identity, UserCall } from '#server/platform/http/api.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'
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

const storedSections = cachedContent('maintenance', selectSections)

/** What is closed now, a sentence each, for the public settings; empty when nothing is. */
export async function listClosureNotices({
  db,
  clock,
}: Pick<PlatformDeps, 'db' | 'clock'>): Promise<string[]> {
  const now = clock.now()
  const stored = await storedSections(db)
  return stored.flatMap(({ section, closure }) =>
    closure !== null && isInForce(closure, now) ? [noticeOf(section, closure)] : [],
  )
}

const IN_THE_PAST = 'Thời điểm kết thúc phải ở tương lai'

/** Closes and opens sections. */
export async function changeMaintenance(
  deps: PlatformDeps,
  call: UserCall<typeof operatorMaintenance.update>,
): Promise<Answer> {
  const { sections, updated_at } = call.body
  const changes = Object.entries(sections) as [MaintenanceSection, StoredSection['closure']][]
  const now = deps.clock.now()
  if (changes.some(([, closure]) => closure !== null && !isInForce(closure, now)))
    throw invalidField('until', IN_THE_PAST)
  return actAsOperator(deps, call, {
    action: 'maintenance.update',
    async work(tx) {
      const before = describe(await lockSections(tx))
      if (Date.parse(before.updated_at) !== Date.parse(updated_at))
        throw conflict('Người khác vừa thay đổi phần bảo trì. Hãy xem lại rồi lưu lần nữa', before)
      for (const [section, closure] of changes) await updateSection(tx, section, closure)
      await contentChanges(tx, 'maintenance')
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
}

type Gate = {
  /** Throws MAINTENANCE where the call is closed for this caller. */
  assertOpen(endpoint: Endpoint, identity: Identity | null): Promise<void>
}

/** Called before each call; what is closed is cached. */
export function maintenanceGate({ db, clock }: Pick<PlatformDeps, 'db' | 'clock'>): Gate {
  return {
    async assertOpen(endpoint, identity) {
      const sections = sectionsOf(endpoint)
      if (sections.length === 0 || (identity?.permissions.length ?? 0) > 0) return
      const closures = asClosures(await storedSections(db))
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
