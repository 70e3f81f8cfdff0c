import type { GameBridge } from '#server/modules/game-bridge/index.ts'

/** A game and a character in it that rules may give things to. */
export type TestedGame = {
  game: GameBridge
  serverId: string
  account: string
  characterId: string
  /** What the character holds; null when that cannot be read from here. */
  luong(): Promise<number | null>
}

/** One rule of the contract, as a developer of a game reads it. `check` throws an error that describes the violation. */
export type Rule<S> = { name: string; check(subject: S): Promise<void> }

/** The answers followed the rule, but its effect in the game could not be observed. */
export class NotObservable extends Error {}

/** Fails unless the character gained exactly this much since `before`. */
export async function expectGain(subject: TestedGame, before: number | null, gain: number): Promise<void> {
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
