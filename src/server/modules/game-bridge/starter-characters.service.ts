import type { GameBridge, NewCharacter } from './game-bridge.rules.ts'
import { starterCharacters } from './starter-characters.rules.ts'

type Place = { username: string; serverId: string }

/** Gives a new account of the embedded game its first characters. Repeats change nothing, and a real game is not changed. */
export async function giveStarterCharacters(game: GameBridge, { username, serverId }: Place): Promise<void> {
  if (!game.addCharacters) return
  const account = username.toLowerCase()
  const present = await game.listCharacters(serverId, account)
  if (present.length > 0) return
  await game.addCharacters(serverId, account, starterCharacters(account))
}

/** The characters of a demo account, as its seed names them. */
export async function seedCharacters(
  game: GameBridge,
  { username, serverId, characters }: Place & { characters: readonly NewCharacter[] },
): Promise<void> {
  await game.addCharacters?.(serverId, username.toLowerCase(), characters)
}
