import type { Character } from '#contract/exchange.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'

const KEY = 'last-character'

/** The character that is chosen before the player chooses one: the only one, or the last that something was bought for here. */
export function usualCharacter(characters: readonly Character[]): Character | undefined {
  if (characters.length === 1) return characters[0]
  const { id } = readStored<{ id: string }>(KEY)
  return characters.find((character) => character.id === id)
}

export function rememberCharacter({ id }: Character): void {
  writeStored(KEY, JSON.stringify({ id }))
}
