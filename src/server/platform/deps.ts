import type { Clock } from './clock/clock.ts'
import type { Db } from './db/database.ts'
import type { DatabaseListener } from './db/listener.ts'
import type { Limits } from './limits/limits.ts'
import type { Log } from './log/log.ts'
import type { Vault } from './vault/vault.ts'

/** Dependencies of every module. A module that needs more extends this type. */
export type PlatformDeps = {
  db: Db
  log: Log
  clock: Clock
  listener: DatabaseListener
  vault: Vault
  limits: Limits
}
