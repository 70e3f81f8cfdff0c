import { buildIfNeeded } from '#scripts/build.ts'
import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { printLoad } from '../harness/verification.ts'
import { say } from '../harness/report.ts'
import { tortureCluster } from './cluster/cluster.ts'
import { tortureDeliveries } from './deliveries/deliveries.ts'
import { NAMES, runTable } from './faults/table.ts'
import { tortureNotices } from './notices/notices.ts'
import { runOutages } from './outages/run.ts'
import { tortureRestore } from './restore/restore.ts'
import { tortureRetention } from './retention/retention.ts'
import { torture } from './torture.ts'
import { runWithoutGuards } from './without-guards.ts'

const USAGE = `npm run torture -- [--seed N] [--seconds N] [--kills N] [--players N] [--processes N]

kill -9 of portal and PostgreSQL under load, and answered requests repeated with their keys; then the ledger, the game
and every answer are compared with the clients' logs. Or one of these, each with --seed N (docs/proofs.md):
  --faults T1,T4|all [--seeds N] [--seconds N] [--lanes N]   each fault of the table with each seed, under load:
                                        ${NAMES.join(' ')}
  --outages [--seconds N] [--lanes N]   disk, clock, database, game, mail and providers away in turn
  --notices N                           N notifications by four providers, shuffled, repeated, late, damaged
  --deliveries N                        N purchases to a game that does everything wrong
  --restore ROUNDS [--seconds N]        a backup under load, the portal lost, restored beside the same game
  --retention N [--seconds N]           N rows too old in every table that a job cleans up, removed under load
  --cluster MINUTES [--players N]       each part of a whole cluster killed and restarted in turn
  --without-guards [--only <text>]      the usual run once without each guard of the chain; every one of them has to fail
Prints one JSON object last; exit code 1 when anything was wrong.`
const { values } = readOptions({
  usage: USAGE,
  options: {
    seed: 'number',
    seconds: 'number',
    kills: 'number',
    players: 'number',
    processes: 'number',
    deliveries: 'number',
    notices: 'number',
    retention: 'number',
    restore: 'number',
    cluster: 'number',
    faults: 'text',
    seeds: 'number',
    lanes: 'number',
    outages: 'flag',
    'without-guards': 'flag',
    only: 'text',
  },
})
const unknownFaults = faultsNamed(values.faults).filter((name) => name !== 'ALL' && !NAMES.includes(name))
if (unknownFaults.length > 0) endWithUsage(USAGE, `There is no fault ${unknownFaults.join(', ')}.`)
const seed = values.seed ?? Date.now() % 1_000_000

function faultsNamed(text = ''): string[] {
  const words = text.split(',').map((word) => word.trim().toUpperCase())
  return words.filter((word) => word !== '')
}

async function cluster(minutes: number) {
  const report = await tortureCluster({
    seed,
    players: values.players ?? 8,
    size: { webs: 3, workers: 2, withStandby: true },
    ms: minutes * 60_000,
    say,
  })
  printLoad(report)
  return { seed, ...report, phases: report.phases.length }
}

function run(): Promise<{ isClean: boolean }> {
  if (values.cluster !== undefined) return cluster(values.cluster)
  if (values.faults !== undefined) {
    return runTable({
      faults: values.faults,
      seeds: values.seeds ?? 3,
      seconds: values.seconds ?? 120,
      seed,
      lanes: values.lanes ?? 1,
    })
  }
  if (values.outages) {
    return runOutages({
      seed,
      lanes: values.lanes ?? 1,
      players: values.players ?? 6,
      secondsMax: values.seconds ?? Infinity,
    })
  }
  if (values['without-guards']) return runWithoutGuards(values.only ?? '', (line) => console.log(line))
  if (values.notices !== undefined) return tortureNotices({ seed, notices: values.notices, lanes: 8 })
  if (values.restore !== undefined) {
    return tortureRestore({
      seed,
      rounds: values.restore,
      players: values.players ?? 8,
      seconds: values.seconds ?? 10,
      say: (round) => console.log(JSON.stringify(round)),
    })
  }
  if (values.retention !== undefined) {
    return tortureRetention({
      seed,
      old: values.retention,
      young: Math.ceil(values.retention / 10),
      players: values.players ?? 8,
      seconds: values.seconds ?? 20,
      jobsSecondsMax: 1_800,
    })
  }
  if (values.deliveries !== undefined) {
    const { deliveries, kills = 10, players = 40 } = values
    return tortureDeliveries({ seed, deliveries, killsEach: kills, players })
  }
  return torture({
    seed,
    seconds: values.seconds ?? 30,
    kills: values.kills ?? 5,
    players: values.players ?? 8,
    processes: values.processes ?? 1,
  })
}

await buildIfNeeded()
const report = await run()
console.log(JSON.stringify(report, null, 2))
process.exitCode = report.isClean ? 0 : 1
// Only what did not finish prevents the process from ending.
setTimeout(() => process.exit(), 10_000).unref()
