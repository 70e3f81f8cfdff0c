import { buildIfNeeded } from '#scripts/build.ts'
import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { say } from '../harness/report.ts'
import { printLoad } from '../harness/verification.ts'
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
const { seed = Date.now() % 1_000_000, lanes = 1, players = 8, seconds } = values

/** `T1,T4` or `all`. */
const words = (values.faults ?? '').split(',').map((word) => word.trim().toUpperCase())
const names = words.includes('ALL') ? NAMES : words.filter((word) => word !== '')
const unknown = names.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) endWithUsage(USAGE, `There is no fault ${unknown.join(', ')}.`)

async function runCluster(minutes: number) {
  const size = { webs: 3, workers: 2, withStandby: true }
  const report = await tortureCluster({ seed, players, size, ms: minutes * 60_000, say })
  printLoad(report)
  return { seed, ...report, phases: report.phases.length }
}

function run(): Promise<{ isClean: boolean }> {
  const { cluster, seeds = 3, notices, restore, retention, deliveries, only = '', kills } = values
  const printLine = (line: string) => console.log(line)
  if (cluster !== undefined) return runCluster(cluster)
  if (names.length > 0) return runTable({ names, seeds, seconds: seconds ?? 120, seed, lanes })
  if (values.outages)
    return runOutages({ seed, lanes, players: values.players ?? 6, secondsMax: seconds ?? Infinity })
  if (values['without-guards']) return runWithoutGuards(only, printLine)
  if (notices !== undefined) return tortureNotices({ seed, notices, lanes: 8 })
  if (restore !== undefined) {
    const say = (round: object) => printLine(JSON.stringify(round))
    return tortureRestore({ seed, rounds: restore, players, seconds: seconds ?? 10, say })
  }
  if (retention !== undefined) {
    const planting = { old: retention, young: Math.ceil(retention / 10) }
    return tortureRetention({ ...planting, seed, players, seconds: seconds ?? 20, jobsSecondsMax: 1_800 })
  }
  if (deliveries !== undefined)
    return tortureDeliveries({ seed, deliveries, killsEach: kills ?? 10, players: values.players ?? 40 })
  const { processes = 1 } = values
  return torture({ seed, seconds: seconds ?? 30, kills: kills ?? 5, players, processes })
}

await buildIfNeeded()
const report = await run()
console.log(JSON.stringify(report, null, 2))
process.exitCode = report.isClean ? 0 : 1
// Only what did not finish prevents the process from ending.
setTimeout(() => process.exit(), 10_000).unref()
