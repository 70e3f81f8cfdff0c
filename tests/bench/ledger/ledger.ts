import { join } from 'node:path'
import { Pool } from 'pg'
import { newFolder } from '../../harness/fleet.ts'
import {
  atOnce,
  type Figures,
  inHundredths,
  inPairs,
  type Name,
  type Rate,
  rateOf,
} from '../../harness/numbers.ts'
import { type Part, PARTS } from './world.ts'
import { startSide, treeOf, type Side } from './programs.ts'
import { Server, type Disk } from './server.ts'
import type { Ran } from './side.ts'

const CLIENTS = 16
const DISKS: readonly Disk[] = ['as it is', '2 ms slower']
const WARM_UP_MS = 1_000
/** Of recharge and purchase where a commit takes as long as on a usual disk. */
const RATIO_MIN = 2.5

type One = Rate & {
  programCpuMs: number
  databaseCpuMs: number
  /** How many connections were in it at a time. */
  waits: Record<string, number>
}

/** All parts when none is named. */
export type Options = { before: string; parts: readonly Part[]; pairs: number; seconds: number }

/** Recharges and purchases of the present program against those of a commit before, in turn, on one PostgreSQL. */
export async function benchLedger(options: Options) {
  await using cleanup = new AsyncDisposableStack()
  const server = await Server.start(cleanup)
  const tree = await treeOf(options.before, join(await newFolder(cleanup, 'bench-ledger'), 'before'))
  const before = await startSide(tree, await server.addDatabase('before'))
  cleanup.defer(() => before.end())
  const present = await startSide(null, await server.addDatabase('present'))
  cleanup.defer(() => present.end())
  return await compare(server, { before, present }, options)
}

type Sides = Record<Name, Side>

async function compare(server: Server, sides: Sides, options: Options) {
  const disks = {} as Record<Disk, Partial<Record<Part, Figures<One>>>>
  // A row inserted and committed by as many clients, a second.
  const rowInserts = {} as Record<Disk, number>
  const yard = await server.addDatabase('yardstick')
  for (const disk of DISKS) {
    await server.useDisk(disk)
    rowInserts[disk] = await insertRows(yard, options.seconds * 1_000)
    const parts: Partial<Record<Part, Figures<One>>> = {}
    for (const part of options.parts.length > 0 ? options.parts : PARTS)
      parts[part] = await measure(server, sides, { part, ...options })
    disks[disk] = parts
  }
  const broken = [...(await sides.before.reconcile()), ...(await sides.present.reconcile())]
  const isWithin =
    broken.length === 0 &&
    (['recharge', 'purchase'] as const).every(
      (part) => (disks['2 ms slower'][part]?.medianRatio ?? RATIO_MIN) >= RATIO_MIN,
    )
  const { before, pairs } = options
  return { before, clients: CLIENTS, pairs, rowInserts, disks, broken, isWithin }
}

async function measure(
  server: Server,
  sides: Sides,
  { part, pairs, seconds }: Pick<Options, 'pairs' | 'seconds'> & { part: Part },
): Promise<Figures<One>> {
  // Once for nothing: connections, caches and compiled code are there for every measurement.
  for (const [name, side] of Object.entries(sides)) {
    await side.run({ part, clients: CLIENTS, ms: WARM_UP_MS })
    await server.gatherStatistics(name)
  }
  return inPairs(pairs, async (name) => {
    await server.checkpoint()
    const cpu = await server.cpuMs()
    const job = { part, clients: CLIENTS, ms: seconds * 1_000 }
    const { result, waits } = await server.watch(sides[name].run(job))
    return figuresOf(result, (await server.cpuMs()) - cpu, waits)
  })
}

const figuresOf = ({ done, ms, cpuMs, latenciesMs }: Ran, databaseMs: number, waits: One['waits']): One => ({
  ...rateOf(latenciesMs, ms),
  programCpuMs: inHundredths(cpuMs / done),
  databaseCpuMs: inHundredths(databaseMs / done),
  waits,
})

export async function insertRows(url: string, ms: number): Promise<number> {
  const pool = new Pool({ connectionString: url, max: CLIENTS })
  try {
    await pool.query(
      'CREATE TABLE IF NOT EXISTS one_row (id bigserial PRIMARY KEY, at timestamptz DEFAULT now())',
    )
    const taken = await atOnce(CLIENTS, ms, () => pool.query('INSERT INTO one_row DEFAULT VALUES'))
    return rateOf(taken.latenciesMs, taken.ms).perSecond
  } finally {
    await pool.end()
  }
}
