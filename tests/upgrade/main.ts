import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfNeeded } from '#scripts/build.ts'
import { readOptions } from '#scripts/tool-options.ts'
import { isNginxThere } from '#tests/support/nginx.ts'
import { nginxBalancer } from '../harness/balancer.ts'
import { PROGRAM } from '../harness/fleet.ts'
import { printLoad } from '../harness/verification.ts'
import { say } from '../harness/report.ts'
import { drill, WHOLE_DRILL } from './drill.ts'
import { DrillProblem, layOutOldProgram, withOneMore } from './programs.ts'

const USAGE = `npm run upgrade-drill -- [--from <commit>] [--seed N] [--players N]

The steps of docs/runbooks/upgrade.md under load behind nginx, and back. Exit code 1 when an operation is lost or doubled,
or a request failed without having been on a killed process.
  --from <commit>   the old program; the one from before the newest migration when left out`
const { values } = readOptions({
  usage: USAGE,
  options: { from: 'text', seed: 'number', players: 'number' },
})

async function main(folder: string): Promise<void> {
  if (!isNginxThere())
    throw new DrillProblem(
      'The drill needs nginx and openssl: install them (apt install nginx-light openssl).',
    )
  const { commit, added, folder: old } = await layOutOldProgram(PROGRAM, { from: values.from, folder })
  console.log(`Old program: ${commit.slice(0, 12)}, laid out and built`)
  await buildIfNeeded()
  const present = { folder: PROGRAM, added: added.join(', ') }
  const next = added.length > 0 ? present : await withOneMore(join(folder, 'new'))
  console.log(
    added.length > 0
      ? `New program: this tree; it adds ${next.added}`
      : `New program: this tree adds no migration to that, so a copy of it with one more: ${next.added}`,
  )
  const report = await drill({
    steps: WHOLE_DRILL,
    seed: values.seed ?? Date.now() % 1_000_000,
    players: values.players ?? 6,
    steadyMs: 8_000,
    stopDelaySeconds: 3,
    old,
    new: next.folder,
    openBalancer: nginxBalancer,
    say,
  })
  printLoad(report)
  console.log(
    report.isClean
      ? 'Clean: nothing lost, nothing twice, no failed request but those on the killed process.'
      : 'NOT clean.',
  )
  process.exitCode = report.isClean ? 0 : 1
}

const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-programs-'))
try {
  await main(folder)
} catch (error) {
  if (!(error instanceof DrillProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
