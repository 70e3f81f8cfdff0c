import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log/log.ts'
import { openEmbeddedGame } from './embedded-game.client.ts'
import type { GameBridge } from './game-bridge.rules.ts'
import { openHttpGame, type HttpGame } from './http-game.client.ts'

/** The configured game server, or else the embedded game in the portal's own database. */
export function openGameBridge({ db, log, http }: { db: Db; log: Log; http: HttpGame | null }): GameBridge {
  return http === null ? openEmbeddedGame({ db, log }) : openHttpGame(http)
}
