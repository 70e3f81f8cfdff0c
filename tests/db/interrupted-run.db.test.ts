import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasAllCases } from '#tests/support/test-run.ts'
import { childrenOf, isAlive, parentsOfAll } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/purchases.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const isLinux = process.platform === 'linux'
const PHASE_MS_MAX = 180_000
const END_MS_MAX = 30_000

/** As `scripts/test.ts`, with one file in each phase. */
const DATABASE_PHASE = ['vitest', 'run', '--project', 'db', 'tests/db/streams.db.test.ts']
const BROWSER_PHASE = ['node', 'scripts/e2e.ts', 'tests/e2e/player/walk.e2e.ts', '--project=phone']

let folder: string
let programs: string
beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), 'programs-'))
  folder = await mkdtemp(join(tmpdir(), 'i-'))
})
afterAll(async () => {
  for (const place of [folder, programs]) await rm(place, { recursive: true, force: true })
})

type Run = { child: ChildProcess; output(): string; place: string }

/** A run with one step, in a process group of its own and with a place of its own for temporary files. */
async function startRun(command: readonly string[], place: string): Promise<Run> {
  const file = join(programs, 'run.ts')
  const from = (name: string) => JSON.stringify(join(root, 'scripts', name))
  await writeFile(
    file,
    `import { runSteps } from ${from('steps.ts')}
import { inTestRun } from ${from('test-run.ts')}
await inTestRun(async () => {
  await runSteps([{ name: 'the phase', command: ${JSON.stringify(command)} }])
})`,
  )
  const environment: NodeJS.ProcessEnv = { ...process.env, TMPDIR: place, npm_lifecycle_event: 'test' }
  // This test may be part of such a run itself, and of one of vitest.
  for (const name of Object.keys(environment))
    if (name === 'CONG_NINJA_TEST_RUN' || name.startsWith('VITEST') || name === 'TEST')
      delete environment[name]
  // As npm starts it: by a shell, which passes no signal on.
  const child = spawn('sh', ['-c', '"$0" "$1"; exit $?', process.execPath, file], {
    cwd: root,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, output: () => text, place }
}

/** Of one look at all processes: a browser may live for a few seconds only. */
async function descendantsOf(pid: number): Promise<number[]> {
  const parents = await parentsOfAll()
  const below = (parent: number): number[] =>
    [...parents].filter(([, other]) => other === parent).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}

const commandOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')

/** Waits for a process like that among those of the run; all of its processes then. */
async function untilThereIs(run: Run, pattern: RegExp): Promise<number[]> {
  return eventually(async () => {
    const pids = await descendantsOf(run.child.pid as number)
    const commands = await Promise.all(pids.map(commandOf))
    expect(
      commands.some((command) => pattern.test(command)),
      run.output(),
    ).toBe(true)
    return pids
  }, PHASE_MS_MAX)
}

/** Of these processes those that live, and what lies where the run has its files. */
async function leftOf(run: Run, pids: readonly number[]): Promise<{ processes: string[]; files: string[] }> {
  const commands = await Promise.all(pids.filter(isAlive).map(commandOf))
  return { processes: commands.filter((command) => command !== ''), files: await readdir(run.place) }
}
const NOTHING = { processes: [], files: [] }

describe.skipIf(!isLinux)(
  'a run of the tests that is ended leaves no process and no file (skipped where there is no /proc)',
  { timeout: PHASE_MS_MAX + 2 * END_MS_MAX },
  () => {
    test('in the database phase, by the end of the npm that started it', async () => {
      const run = await startRun(DATABASE_PHASE, folder)
      const pids = await untilThereIs(run, /\/postgres\0-D/)
      run.child.kill('SIGTERM')
      await eventually(async () => expect(await leftOf(run, pids)).toEqual(NOTHING), END_MS_MAX)
    })

    // The same list of processes and the same folder, with a browser among them: it takes a third of a minute.
    test.runIf(hasAllCases)('in the browser phase, by Ctrl-C', async () => {
      const run = await startRun(BROWSER_PHASE, folder)
      const pids = await untilThereIs(run, /--remote-debugging-pipe/)
      process.kill(-(run.child.pid as number), 'SIGINT')
      await eventually(async () => expect(await leftOf(run, pids)).toEqual(NOTHING), END_MS_MAX)
    })

    test('by SIGKILL, when the next run begins', async () => {
      const run = await startRun(DATABASE_PHASE, folder)
      const pids = await untilThereIs(run, /\/postgres\0-D/)
      const [runner] = await childrenOf(run.child.pid as number)
      process.kill(runner as number, 'SIGKILL')
      expect(await readdir(folder)).toHaveLength(1)
      const next = await startRun(['node', '--version'], folder)
      await once(next.child, 'close')
      expect(next.child.exitCode, next.output()).toBe(0)
      await eventually(async () => expect(await leftOf(run, pids)).toEqual(NOTHING), END_MS_MAX)
    })
  },
)
