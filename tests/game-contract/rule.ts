import type { GameBridge } from '#server/modules/game-bridge/index.ts'

/** A game and a character in it that rules may give things to. */
export type TestedGame = {
  game: GameBridge
  serverId: string
  account: string
  characterId: string
  /** What the character holds; null when that cannot be seen from here. */
  luong(): Promise<number | null>
}

/** One rule of the contract, as a developer of a game reads it. `check` throws an error that describes the violation. */
export type Rule<S> = { name: string; check(subject: S): Promise<void> }

/** The rule was kept as far as one can see, but its effect in the game could not be seen. */
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

export function expectAnswer(what: string, answer: unknown, wanted: unknown): void {
  const [said, shouldSay] = [JSON.stringify(answer), JSON.stringify(wanted)]
  if (said !== shouldSay) throw new Error(`${what}: answered ${said} instead of ${shouldSay}`)
}
