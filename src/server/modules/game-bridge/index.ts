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
export {
  countOf,
  findGameLimits,
  isRankedByLevel,
  readCollector,
  showsNotices,
  SILENT_SECONDS,
  startGameJobs,
  tellsCollection,
} from './description.service.ts'
export type { Collection, GameBridge, GameCharacter, MainCharacter, RankingRow } from './game-bridge.rules.ts'
export { CALL_TIMEOUT_MS as GAME_TIMEOUT_MS, openHttpGame } from './http-game.client.ts'
