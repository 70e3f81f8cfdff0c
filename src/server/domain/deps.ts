import type { Channel } from './notices.ts'
import type { Clock } from '#server/platform/values/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DatabaseListener } from '#server/platform/db/notices.ts'
import type { Limits } from '#server/platform/limits/limits.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Vault } from '#server/platform/db/vault.ts'

/** Dependencies of every module. A module that needs more extends this type. */
export type PlatformDeps = {
  db: Db
  log: Log
  clock: Clock
  listener: DatabaseListener<Channel>
  vault: Vault
  limits: Limits
}
