import { randomUUID } from 'node:crypto'
import { readConfig } from '#server/config/config.ts'
import { wireDeps } from '#server/app/deps.ts'
import { prepareInstallation } from '#server/start/database.ts'
import { addNote } from '#server/modules/players/players.service.ts'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { DatabaseListener } from '#server/platform/db/notices.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { openLog } from '#server/platform/log/log.ts'
import { auditAppendBefore } from '#tests/support/audit-append-before.ts'
import type { Cleanup } from '../harness/fleet.ts'
import { addDatabase, CLIENTS, startMeasuredPostgres } from './databases.ts'
import { inRounds, mediansOf } from './rounds.ts'
import { fillPlayers, PLAYERS } from './world.ts'

/** By how many microseconds a commit is delayed: not at all, and as on a usual disk, for which a lock is then held. */
const DISKS = { 'as it is': 0, '2 ms slower': 2_000 }
const log = openLog('error')

/**
 * Notes that operators write about players, each an act with its row in the trail, by as many clients at once: with the
 * trail in lines, and with the function from when it was one chain, in turn on one PostgreSQL.
 */
export async function benchActs({ pairs, seconds }: { pairs: number; seconds: number }) {
  await using cleanup = new AsyncDisposableStack()
  const postgres = await startMeasuredPostgres(cleanup)
  const oneChainUrl = await addDatabase(postgres.url, 'one_chain')
  const actInOneChain = await openSide(cleanup, oneChainUrl)
  const actInLines = await openSide(cleanup, await addDatabase(postgres.url, 'lines'))
  await asOwner(oneChainUrl, (client) => client.query(auditAppendBefore('audit_append')))
  const disks: Record<string, object> = {}
  // Who comes to a flush first waits, and all who come meanwhile are flushed with it: as a disk does that is slow.
  await postgres.change('ALTER SYSTEM SET commit_siblings = 0')
  for (const [disk, delay] of Object.entries(DISKS)) {
    await postgres.change(`ALTER SYSTEM SET commit_delay = ${delay}`)
    await postgres.change('SELECT pg_reload_conf()')
    const runs = await inRounds(pairs, {
      oneChain: () => postgres.measure(seconds * 1_000, actInOneChain),
      lines: () => postgres.measure(seconds * 1_000, actInLines),
    })
    disks[disk] = { oneChain: mediansOf(runs.oneChain), lines: mediansOf(runs.lines) }
  }
  return { clients: CLIENTS, pairs, disks }
}

/** Notes by operators in turn, none of whom acts more often than an operator may. */
async function openSide(cleanup: Cleanup, ownerUrl: string): Promise<() => Promise<unknown>> {
  await migrateDatabase(ownerUrl, log)
  const url = await openAppRole(ownerUrl, log)
  await prepareInstallation({ ownerUrl, isDemo: false, providers: [] })
  await fillPlayers(ownerUrl)
  const db = openDatabase({ url, log, connectionsMax: CLIENTS + 4 })
  cleanup.defer(() => db.destroy())
  const config = readConfig({ DATABASE_URL: url, DEMO: '0', GAME_SERVER_URL: 'embedded' })
  const database = { db, listener: new DatabaseListener(url, log) }
  const deps = wireDeps({ config, log, database, overrides: { withPages: false } })
  const users = await db.selectFrom('users').select('id').orderBy('id').limit(PLAYERS).execute()
  const idOf = (turn: number) => users[turn % users.length]?.id ?? ''
  let turn = 0
  return () => {
    turn++
    return addNote(deps, {
      identity: { userId: idOf(turn) },
      key: randomUUID(),
      overLimit: null,
      request: { id: randomUUID() },
      params: { id: idOf(turn * 7) },
      body: { note: 'Khách quen' },
    } as unknown as Parameters<typeof addNote>[1])
  }
}
