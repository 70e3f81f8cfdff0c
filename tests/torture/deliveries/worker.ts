import { readConfig } from '#server/config/config.ts'
import { openPortalDatabase } from '#server/start/database.ts'
import { wireDeps } from '#server/app/deps.ts'
import { startDeliveryWorker } from '#server/modules/purchases/index.ts'
import { openGameBridge } from '#server/modules/game-bridge/index.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { openLog } from '#server/platform/log/log.ts'

/**
 * A worker of the portal as a separate process that pauses when the n-th delivery reaches a named
 * point and reports it, so that it can be killed exactly there. The portal itself has no such hook.
 */
const [point, arrivals = '1', leaseSeconds = '30', callTimeoutMs = '10000'] = process.argv.slice(2)

const config = readConfig(process.env)
const log = openLog(config.logLevel)
const database = await openPortalDatabase(config, { log, clock: systemClock })
const deps = wireDeps({ config, log, database, overrides: { withPages: false } })
const http = config.gameServer && { ...config.gameServer, callTimeoutMs: Number(callTimeoutMs) }
let left = Number(arrivals)
startDeliveryWorker({
  ...deps,
  game: openGameBridge({ db: database.db, log, http }),
  deliveryLeaseSeconds: Number(leaseSeconds),
  async pausePoint(reached) {
    if (reached !== point || --left > 0) return
    process.send?.('there')
    await new Promise(() => {})
  },
})
process.send?.('working')
