import { randomUUID } from 'node:crypto'
import { readConfig } from '#server/config/config.ts'
import { wireDeps, type PortalDeps } from '#server/app/deps.ts'
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
import { atOnce, type Figures, inPairs, type Name, type Rate, rateOf } from '../harness/numbers.ts'
import { Server, type Disk } from './ledger/server.ts'
import { fillPlayers, PLAYERS } from './ledger/world.ts'

const CLIENTS = 16
const DISKS: readonly Disk[] = ['as it is', '2 ms slower']
const log = openLog('error')

type One = Rate & { waits: Record<string, number> }
/**
 * Notes that operators write about players, each an act with its row in the trail, by as many clients at once: with the
 * trail in lines, and with the function from when it was one chain, in turn on one PostgreSQL.
 */
export async function benchActs(options: { pairs: number; seconds: number }) {
  await using cleanup = new AsyncDisposableStack()
  const server = await Server.start(cleanup)
  const before = await openSide(cleanup, await server.addDatabase('before'))
  const present = await openSide(cleanup, await server.addDatabase('present'))
  await asOwner(before.ownerUrl, async (client) => {
    await client.query(auditAppendBefore('audit_append'))
  })
  const disks = {} as Record<Disk, Figures<One>>
  for (const disk of DISKS) {
    await server.useDisk(disk)
    disks[disk] = await compare(server, { before, present }, options)
  }
  return { clients: CLIENTS, pairs: options.pairs, disks }
}

type Side = { ownerUrl: string; deps: PortalDeps; ids: string[] }

async function openSide(cleanup: Cleanup, ownerUrl: string): Promise<Side> {
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
  return { ownerUrl, deps, ids: users.map(({ id }) => id) }
}

async function compare(
  server: Server,
  sides: Record<Name, Side>,
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<Figures<One>> {
  for (const side of Object.values(sides)) await run(side, 1_000)
  return inPairs(pairs, async (name) => {
    await server.checkpoint()
    const { result, waits } = await server.watch(run(sides[name], seconds * 1_000))
    return { ...result, waits }
  })
}

/** Operators in turn, none of whom acts more often than an operator may. */
async function run({ deps, ids }: Side, ms: number): Promise<Rate> {
  let turn = 0
  const taken = await atOnce(CLIENTS, ms, () => {
    const operator = ids[turn++ % ids.length] ?? ''
    return addNote(deps, {
      identity: { userId: operator },
      key: randomUUID(),
      overLimit: null,
      request: { id: randomUUID() },
      params: { id: ids[(turn * 7) % ids.length] ?? '' },
      body: { note: 'Khách quen' },
    } as unknown as Parameters<typeof addNote>[1])
  })
  return rateOf(taken.latenciesMs, taken.ms)
}
