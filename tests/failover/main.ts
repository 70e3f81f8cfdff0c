import { mkdir } from 'node:fs/promises'
import { buildIfNeeded } from '#scripts/build.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { say } from '../harness/report.ts'
import { drill } from './drill.ts'
import { isInOwnNetwork } from './network.ts'
import { missingHere, versions } from './patroni.ts'

const USAGE = `npm run failover-drill -- [--pauses N] [--unsafe] [--only <text>] [--seed N] [--players N] [--keep <folder>]

docs/runbooks/failover.md under load with real etcd, Patroni and PgBouncer and the shipped files, on machines with networks
of their own: the primary killed, switched over, without etcd, cut off in each direction, and paused for 40 s and resumed.
Exit code 1 when an acknowledged operation is lost or doubled, or portal after-failover is not clean.
  --pauses N       how often the primary is paused; five times when left out
  --unsafe         without synchronous_mode_strict: exit code 0 when operations are lost and after-failover names them all
  --only <text>    the faults with this in their names
  --keep <folder>  where the data and logs of etcd, Patroni and the portal stay`
const { values } = readOptions({
  usage: USAGE,
  options: {
    pauses: 'number',
    unsafe: 'flag',
    only: 'text',
    seed: 'number',
    players: 'number',
    keep: 'text',
  },
})

const missing = missingHere()
if (missing.length > 0) {
  console.error(
    `The drill needs ${missing.join(', ')}: apt install patroni etcd-server etcd-client postgresql pgbouncer nftables.`,
  )
  process.exit(1)
}
if (isInOwnNetwork()) await run()

async function run(): Promise<void> {
  console.log(versions())
  await buildIfNeeded()
  if (values.keep !== undefined) await mkdir(values.keep, { recursive: true })
  const report = await drill({
    seed: values.seed ?? Date.now() % 100_000,
    players: values.players ?? 6,
    pauses: values.pauses ?? 5,
    only: values.only ?? '',
    isStrict: values.unsafe !== true,
    ...(values.keep === undefined ? {} : { keep: values.keep }),
    say,
  })
  console.table(report.rows)
  console.log(JSON.stringify(report, null, 2))
  process.exitCode = report.isClean ? 0 : 1
}
