import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, Context } from '../../harness/players.ts'
import type { Random } from '../../harness/numbers.ts'
import { offending, type Verification } from '../../harness/verification.ts'
import type { World, WorldNeeds } from './world.ts'

export type FaultRun = {
  /** With a client and a log of the fault's own. */
  world: World
  /** What the load beside it uses. */
  load: Context
  /** Players of the load that goes on beside every fault. */
  actors: readonly Actor[]
  seed: number
  /** As it runs inside `npm test`: fewer players, shorter pauses, one turn of what takes turns. */
  isShort: boolean
  random: Random
  /** Aborted when the faults have to end. */
  signal: AbortSignal
  /** From now on the time of the fault is counted; called by those that first prepare players of their own. */
  begin(): void
  /** Counts what was done to the portal. */
  count(what: string, times?: number): void
  /** A figure of the row that is no fault. */
  note(what: string, figure: number): void
  /** Something that no fault excuses. */
  wrong(what: string): void
}

/** A fault of the table, brought about in a world with load until the signal; at the end nothing of it is left. */
export type WorldFault = {
  name: string
  needs?: WorldNeeds
  /** It calls `begin` itself. */
  prepares?: true
  /** A sentence when it cannot run on this machine. */
  missing?: () => string | null
  /** Longer than usual, where more than usual is left to do. */
  settleMsMax?: number
  inject(run: FaultRun): Promise<void>
}

/** Ends early, without an error, when the faults have to end. */
export const pause = (signal: AbortSignal, ms: number) => sleep(ms, undefined, { signal }).catch(() => {})

/** Steps with random pauses between them, until the signal. */
export async function repeat(
  { signal, random }: Pick<FaultRun, 'signal' | 'random'>,
  { leastMs, mostMs }: { leastMs: number; mostMs: number },
  step: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    await pause(signal, leastMs + random.below(mostMs - leastMs + 1))
    if (!signal.aborted) await step()
  }
}

/** What a verification found, as a row has it. */
export function columnsOf({ books: all, reconcile }: Pick<Verification, 'books' | 'reconcile'>) {
  const { lost = 0, doubled = 0, ...books } = all
  return { lost, doubled, books: offending(books), reconcile: offending(reconcile) }
}
