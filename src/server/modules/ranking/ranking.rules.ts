/** One candidate for a place in a ranking, before its rank is known. */
export type Candidate = {
  userId: string | null
  serverId: string
  name: string
  value: number
  classId: number | null
  level: number | null
}

export type Entry = Candidate & { rank: number }

/** More than anybody reads, enough for most players to find their own place; bounds what a snapshot costs. */
export const ENTRIES_MAX = 5_000

/** The most first; of equals the stronger character, then the name, so that two snapshots of one standing agree. */
export function ranked(candidates: readonly Candidate[]): Entry[] {
  return candidates
    .toSorted((a, b) => b.value - a.value || (b.level ?? 0) - (a.level ?? 0) || (a.name < b.name ? -1 : 1))
    .slice(0, ENTRIES_MAX)
    .map((candidate, index) => ({ ...candidate, rank: index + 1 }))
}

const VIETNAM_MS = 7 * 3_600_000

/** The moment this month began in Vietnam, which has no summer time. */
export function monthStart(now: Date): Date {
  const there = new Date(now.getTime() + VIETNAM_MS)
  return new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth()) - VIETNAM_MS)
}
