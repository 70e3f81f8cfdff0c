import { askWhetherAccountsAreKept } from '#server/modules/game-accounts/index.ts'
import { openHttpGame } from '#server/modules/game-bridge/index.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { withTimeout } from '#server/platform/values/clock.ts'
import type { Config } from '../config/config.ts'
import { findDatabase } from './database.ts'
import { ok, warning, type Finding } from './finding.ts'

const ASK_MS = 3_000
const NAME = 'accounts'

/**
 * Asks the game anew whether it keeps accounts, and stores the answer: what waits for a game that did not is sent then.
 * Nothing without a database or an answer, which other findings are about.
 */
export async function examineGameAccounts(config: Config): Promise<Finding[]> {
  const { gameServer } = config
  const place = await findDatabase(config).catch(() => null)
  if (gameServer === null || place === null || place.ownerUrl === null) return []
  const db = openDatabase({ url: place.ownerUrl, log: openLog('silent'), connectionsMax: 1 })
  try {
    const game = openHttpGame({ ...gameServer, callTimeoutMs: ASK_MS })
    const areKept = await withTimeout(ASK_MS, askWhetherAccountsAreKept({ db, game }))
    return [
      areKept
        ? ok(NAME, 'the game keeps accounts: bans and new passwords are sent to it')
        : warning(
            NAME,
            'the game keeps no accounts: a ban reaches it with the next login alone, and anybody can register its names (docs/game-server.md)',
          ),
    ]
  } catch {
    return []
  } finally {
    await db.destroy()
  }
}
