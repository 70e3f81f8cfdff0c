export {
  areCharactersKnown,
  knownCharacter,
  listKnownCharacters,
  mainCharacter,
  refreshCharacters,
  type CharacterList,
  type CharactersDeps,
  type MainCharacter,
  giveStarterCharacters,
  seedCharacters,
} from './characters.service.ts'
export type { GameBridge } from './game-bridge.rules.ts'
export { openGameBridge } from './game-bridge.service.ts'
export { openHttpGame } from './http-game.client.ts'
export { listCharactersOf, personalCharacters } from './personal.queries.ts'
