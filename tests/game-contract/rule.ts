import { setTimeout as sleep } from 'node:timers/promises'
import type { WaitingReason } from '#contract/deliveries.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'

/** A game and a character in it that rules may give things to. */
export type TestedGame = {
  game: GameBridge
  serverId: string
  account: string
  characterId: string
  /** What the character holds; null when that cannot be read from here. */
  luong(): Promise<number | null>
  /** How long goods may wait without a reason until they are with the character. */
  collectMs: number
}

/** One rule of the contract, as a developer of a game reads it. `check` throws an error that describes the violation. */
export type Rule<S> = { name: string; check(subject: S): Promise<void> }

/** The answers followed the rule, but its effect in the game could not be observed. */
export class NotObservable extends Error {}

/** A board of the game, by levels if it has one. */
export async function aBoardOf({ game }: TestedGame): Promise<string> {
  const boards = (await game.describeGame?.({ accountsUntil: null }))?.boards ?? []
  return boards.includes('level') ? 'level' : (boards[0] ?? 'level')
}

/** A game without yen can hold none. */
export const hasYen = async ({ game }: TestedGame) =>
  ((await game.describeGame?.({ accountsUntil: null }))?.max.yen ?? 1) > 0

type Waited = 'collected' | 'not known' | 'not collected' | WaitingReason

const ASK_AGAIN_MS = 100

/** Games that once let goods wait without a reason: waiting again would show nothing new. */
const silent = new WeakSet<GameBridge>()

/** Where the goods of an applied delivery are in the end, or after the time they may take. */
export async function untilCollected({ game, collectMs }: TestedGame, id: string): Promise<Waited> {
  if (!game.collection) return 'collected'
  const end = performance.now() + (silent.has(game) ? 0 : collectMs)
  for (;;) {
    const collection = await game.collection(id)
    if (collection === null) return 'not known'
    if (collection.collectedAt !== null) return 'collected'
    if (collection.waiting !== null) return collection.waiting
    if (performance.now() > end) {
      silent.add(game)
      return 'not collected'
    }
    await sleep(ASK_AGAIN_MS)
  }
}

const isReason = (waited: Waited): waited is WaitingReason =>
  waited !== 'collected' && waited !== 'not known' && waited !== 'not collected'

type Gain = {
  /** What the character held before. */
  before: number | null
  gain: number
  /** The deliveries that were applied. */
  from?: readonly { id: string }[]
}

/** Fails unless the character gained exactly this much once everything was collected. */
export async function expectGain(subject: TestedGame, { before, gain, from = [] }: Gain): Promise<void> {
  for (const { id } of from) {
    const waited = await untilCollected(subject, id)
    if (isReason(waited))
      throw new NotObservable(`the goods wait (${waited}), so what the character gets is not seen`)
  }
  const after = await subject.luong()
  if (before === null || after === null) {
    throw new NotObservable('the character is in no luong ranking, so its luong cannot be seen')
  }
  if (after - before !== gain) {
    throw new Error(`the character gained ${after - before} luong instead of ${gain}`)
  }
}

export function expectAnswer(what: string, answer: unknown, expected: unknown): void {
  const [actual, expectedText] = [JSON.stringify(answer), JSON.stringify(expected)]
  if (actual !== expectedText) throw new Error(`${what}: answered ${actual} instead of ${expectedText}`)
}
