import { useState } from 'react'
import { type OwnCharacters, useAddressed, usualCharacter } from '#web/parts/purchase/own-characters.ts'

/** The character that is chosen: by the player, else by the address, else the usual one. */
export function useCharacter({ data }: OwnCharacters) {
  const [pickedId, pick] = useState<string | null>(null)
  const addressedId = useAddressed('character')
  const characters = data?.characters ?? []
  const chosen = characters.find(({ id }) => id === (pickedId ?? addressedId))
  return { character: chosen ?? usualCharacter(characters), pick }
}
