export {
  areCharactersKnown,
  knownCharacter,
  listKnownCharacters,
  mainCharacter,
  refreshCharacters,
  type CharacterList,
  type CharactersDeps,
  giveStarterCharacters,
  seedCharacters,
  openGameBridge,
  listCharactersOf,
  personalCharacters,
} from './game-bridge.service.ts'
export type { GameBridge, MainCharacter } from './game-bridge.rules.ts'
export { openHttpGame } from './http-game.client.ts'
