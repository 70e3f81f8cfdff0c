import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { balancerOf } from '../harness/balancer.ts'
import { DEMO_ENVIRONMENT, openRunDatabase, PROGRAM, startGame, type Cleanup } from '../harness/fleet.ts'
import { underLoad } from '../harness/load.ts'
import { say } from '../harness/report.ts'
import { printLoad, settle, verifyLoad, type LoadReport, type Phase } from '../harness/verification.ts'
import { APP, installOldProgram, OWNER_URL, untilReady } from './installed.ts'
import { Machine } from './machine.ts'
import { DrillProblem } from './programs.ts'
import { stepsOf } from './runbook.ts'

/** Started by main.ts in a network and with mounts of its own, where that has laid out the old program. */
const { folder, seed, players, isEachFollowed } = JSON.parse(process.argv[2] ?? '') as {
  folder: string
  seed: number
  players: number
  /** Whether the old program asks about collected goods, too. */
  isEachFollowed: boolean
}

const STEADY_MS = 8_000
const OLD = `${APP}-first`
const NEW = `${APP}-new`
const UNITS = ['portal-web@3001', 'portal-web@3002', 'portal-worker']

const step = stepsOf(await readFile(join(PROGRAM, 'docs/runbooks/upgrade.md'), 'utf8'))

type Drill = { machine: Machine; phases: Phase[] }

async function drill(cleanup: Cleanup): Promise<LoadReport> {
  const machine = await Machine.open(cleanup, join(folder, 'machine'), { [PROGRAM]: NEW })
  say('a systemd of its own runs')
  const game = await startGame(cleanup, join(folder, 'game'))
  const settings = { ...DEMO_ENVIRONMENT, ...game.environment, LOG_LEVEL: 'warn' }
  const { certificate } = await installOldProgram(machine, settings)
  say('the old program is installed by its own runbook')
  const log = async () =>
    (await readFile(join(machine.root, 'var/log/nginx/portal.log'), 'utf8')).split('\n').slice(0, -1)
  const balancer = balancerOf({ httpsPort: 443, ca: certificate, log, end: async () => {} })
  cleanup.defer(() => balancer.close())
  const phases: Phase[] = []
  const load = { balancer, seed, players }
  const { log: clients } = await underLoad(load, () => roll({ machine, phases }))
  const db = await openRunDatabase(cleanup, OWNER_URL)
  const settleSeconds = await settle(db)
  const evidence = {
    db,
    gameDir: game.dataDir,
    log: clients,
    phases,
    settleSeconds,
    isStrict: true,
    isEachFollowed,
  }
  return await verifyLoad({ ...evidence, trace: (attempts) => balancer.trace(attempts) })
}

/**
 * Steps 4 to 6 of the runbook. Twice only the link is turned: units that nobody renewed start the new program, and those of
 * the new one the old program.
 */
async function roll(running: Drill): Promise<void> {
  const { machine } = running
  const switchTo = (TO: string) => machine.do(step('switch'), { APP, TO })
  const linkTo = (TO: string) => machine.do('ln -sfn "$TO" "$APP"', { APP, TO })
  await steady(running, 'old program')
  begin(running, 'its folder becomes a link')
  await machine.do(step('folder'), { APP })
  await restart(running, OLD)
  begin(running, 'to the new program, old units')
  await linkTo(NEW)
  await restart(running, NEW)
  await steady(running, 'new program')
  begin(running, 'back, with its units')
  await switchTo(OLD)
  await restart(running, OLD)
  await steady(running, 'old program, new schema')
  begin(running, 'to the new program, its units')
  await switchTo(NEW)
  await restart(running, NEW)
  begin(running, 'back, new units')
  await linkTo(OLD)
  await restart(running, OLD)
  await switchTo(NEW)
  await kill(running)
  begin(running, 'to the new program again')
  await restart(running, NEW)
  await steady(running, 'new program again')
}

function begin({ phases }: Drill, name: string): Phase {
  const phase: Phase = { name, startedAt: Date.now() }
  phases.push(phase)
  say(name)
  return phase
}

async function steady(running: Drill, name: string): Promise<void> {
  begin(running, name)
  await sleep(STEADY_MS)
}

async function restart({ machine, phases }: Drill, program: string): Promise<void> {
  await machine.do(step('restart'))
  const last = phases.at(-1) as Phase
  last.backAt = Date.now()
  for (const unit of UNITS) {
    const folderOf = `readlink /proc/$(systemctl show --property=MainPID --value ${unit})/cwd`
    const found = (await machine.do(folderOf)).trim()
    if (found !== program) throw new DrillProblem(`${unit} runs in ${found}, not in ${program}`)
  }
}

/** kill -9 of a web process, which systemd starts again by itself. */
async function kill(running: Drill): Promise<void> {
  const { machine } = running
  const phase = begin(running, 'web 2 SIGKILL')
  const from = Date.now()
  await machine.do(`pid=$(systemctl show --property=MainPID --value portal-web@3002)
    kill -9 $pid; while [ -e /proc/$pid ]; do sleep 0.1; done`)
  phase.away = { what: 'process', via: 3002, from, to: Date.now() }
  await machine.do(untilReady(3002))
  phase.backAt = Date.now()
  // For nginx, as after a restart.
  await sleep(10_000)
}

async function main(): Promise<void> {
  await using cleanup = new AsyncDisposableStack()
  const report = await drill(cleanup)
  printLoad(report)
  console.log(
    report.isClean
      ? 'Clean: nothing lost, nothing twice, no failed request but those on the killed process.'
      : 'NOT clean.',
  )
  process.exitCode = report.isClean ? 0 : 1
}

try {
  await main()
} catch (error) {
  if (!(error instanceof DrillProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
