export {
  areCharactersKnown,
  knownCharacter,
  listKnownCharacters,
  mainCharacter,
  refreshCharacters,
  type CharacterList,
  type CharactersDeps,
  type MainCharacter,
} from './characters.service.ts'
export type { GameBridge } from './game-bridge.rules.ts'
export { openGameBridge } from './game-bridge.service.ts'
export { openHttpGame } from './http-game.client.ts'
export { giveStarterCharacters, seedCharacters } from './starter-characters.service.ts'
export { listCharactersOf, personalCharacters } from './personal.queries.ts'
