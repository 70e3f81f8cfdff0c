import { sql } from 'kysely'
import type { DuePart } from '#server/platform/queues/claiming.ts'

/** Whatever is due, as a worker asks for it while nothing has failed. */
export const allDue = (limit: number): DuePart => ({ limit, isWanted: () => sql<boolean>`true` })
