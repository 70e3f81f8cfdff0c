import { mkdir } from 'node:fs/promises'
import { buildIfNeeded } from '#scripts/build.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { say } from '../harness/report.ts'
import { drill } from './drill.ts'
import { missingPackages, versions } from './patroni.ts'

const USAGE = `npm run failover-drill -- [--pauses N] [--unsafe] [--seed N] [--players N] [--keep <folder>]

docs/runbooks/failover.md under load with real etcd and Patroni and the shipped deploy/postgres/patroni.yml: the primary
killed, switched over, without etcd, and paused for 40 s and resumed. Exit code 1 when an acknowledged operation is lost or
doubled, or portal after-failover is not clean.
  --pauses N       how often the primary is paused; five times when left out
  --unsafe         without synchronous_mode_strict: exit code 0 when operations are lost and after-failover names them all
  --keep <folder>  where the data and logs of etcd, Patroni and the portal stay`
const { values } = readOptions({
  usage: USAGE,
  options: { pauses: 'number', unsafe: 'flag', seed: 'number', players: 'number', keep: 'text' },
})

const missing = missingPackages()
if (missing.length > 0) {
  console.error(`The drill needs ${missing.join(', ')}: apt install patroni etcd-server postgresql.`)
  process.exit(1)
}
console.log(versions())
await buildIfNeeded()
if (values.keep !== undefined) await mkdir(values.keep, { recursive: true })
const report = await drill({
  seed: values.seed ?? Date.now() % 100_000,
  players: values.players ?? 6,
  pauses: values.pauses ?? 5,
  isStrict: values.unsafe !== true,
  ...(values.keep === undefined ? {} : { keep: values.keep }),
  say,
})
console.table(report.rows)
console.log(JSON.stringify(report, null, 2))
process.exitCode = report.isClean ? 0 : 1
