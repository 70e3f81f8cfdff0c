import { parseArgs } from 'node:util'
import { buildIfNeeded } from '#scripts/build.ts'
import { printCluster, tortureCluster } from './cluster/run.ts'
import { tortureDeliveries } from './deliveries/deliveries.ts'
import { emptyLog } from './deliveries/people.ts'
import { openSetup, type Setup, type SetupOptions } from './deliveries/setup.ts'
import { runTable } from './faults/table.ts'
import { tortureNotices } from './notices/notices.ts'
import { runOutages } from './outages/run.ts'
import { tortureRestore } from './restore/restore.ts'
import { tortureRetention } from './retention/retention.ts'
import { torture } from './torture.ts'

/**
 * `npm run torture -- --seed N --seconds N [--kills N] [--players N] [--processes N]`: kill -9 of portal and PostgreSQL under load.
 * `npm run torture -- --deliveries N --seed N`: purchases to a game that does everything wrong.
 * `npm run torture -- --notices N --seed N`: N notifications by four providers, shuffled, repeated, late, damaged.
 * `npm run torture -- --retention N --seed N [--seconds N]`: N rows too old in every table that a job keeps, removed under load.
 * `npm run torture -- --restore ROUNDS --seed N [--seconds N]`: a backup under load, the portal lost, restored beside the same game.
 * `npm run torture -- --cluster MINUTES --seed N [--players N]`: each part of a whole cluster killed and restarted in turn.
 * `npm run torture -- --faults T1,T4|all --seeds N --seconds N [--lanes N]`: each fault of the table with each seed, under load.
 * `npm run torture -- --outages --seed N [--seconds N] [--lanes N]`: disk, clock, database, game, mail and providers away in turn, each for at most so long.
 * Each prints one JSON object last; exit 1 when unclean.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    seed: text,
    seconds: text,
    kills: text,
    players: text,
    processes: text,
    deliveries: text,
    notices: text,
    retention: text,
    restore: text,
    cluster: text,
    faults: text,
    seeds: text,
    lanes: text,
    outages: { type: 'boolean' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)

async function withSetup<Report>(
  options: SetupOptions,
  work: (setup: Setup) => Promise<Report>,
): Promise<Report> {
  const setup = await openSetup(options)
  try {
    return await work(setup)
  } finally {
    await setup.close()
  }
}

function deliveries(count: number) {
  return withSetup({ webs: 1, buyers: Number(values.players ?? 40), operators: 2 }, (setup) =>
    tortureDeliveries(
      setup,
      {
        seed,
        deliveries: count,
        killsEach: Number(values.kills ?? 10),
        gameKills: 5,
        pauseMs: 6_000,
        // A lease shorter than a call that hangs: others take over while the first still waits.
        pace: { leaseSeconds: 6, callTimeoutMs: 10_000 },
        slowMs: 3_000,
        faultRate: 0.25,
        meddlingMsMax: 400,
      },
      emptyLog(),
    ),
  )
}

async function cluster(minutes: number) {
  const verdict = await tortureCluster({
    seed,
    players: Number(values.players ?? 8),
    size: { webs: 3, workers: 2, withStandby: true },
    ms: minutes * 60_000,
    say: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  })
  printCluster(verdict)
  return { seed, ...verdict, faults: verdict.faults.length }
}

function run(): Promise<{ isClean: boolean }> {
  if (values.cluster !== undefined) return cluster(Number(values.cluster))
  if (values.faults !== undefined) {
    return runTable({
      faults: values.faults,
      seeds: Number(values.seeds ?? 3),
      seconds: Number(values.seconds ?? 120),
      seed,
      lanes: Number(values.lanes ?? 1),
    })
  }
  if (values.outages) {
    return runOutages({
      seed,
      lanes: Number(values.lanes ?? 1),
      players: Number(values.players ?? 6),
      secondsMax: Number(values.seconds ?? Infinity),
    })
  }
  if (values.notices !== undefined) return tortureNotices({ seed, notices: Number(values.notices), lanes: 8 })
  if (values.restore !== undefined) {
    return tortureRestore({
      seed,
      rounds: Number(values.restore),
      players: Number(values.players ?? 8),
      seconds: Number(values.seconds ?? 10),
      say: (round) => console.log(JSON.stringify(round)),
    })
  }
  if (values.retention !== undefined) {
    return tortureRetention({
      seed,
      old: Number(values.retention),
      young: Math.ceil(Number(values.retention) / 10),
      players: Number(values.players ?? 8),
      seconds: Number(values.seconds ?? 20),
      jobsSecondsMax: 1_800,
    })
  }
  if (values.deliveries !== undefined) return deliveries(Number(values.deliveries))
  return torture({
    seed,
    seconds: Number(values.seconds ?? 30),
    kills: Number(values.kills ?? 5),
    players: Number(values.players ?? 8),
    processes: Number(values.processes ?? 1),
  })
}

await buildIfNeeded()
const report = await run()
console.log(JSON.stringify(report, null, 2))
process.exitCode = report.isClean ? 0 : 1
// Only what did not come to its end keeps the process from ending.
setTimeout(() => process.exit(), 10_000).unref()
