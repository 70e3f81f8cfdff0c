import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cleanup } from '../harness/fleet.ts'
import { DrillProblem } from './programs.ts'

const BOOT_MS_MAX = 90_000

export type Ended = { code: number | null; output: string }

/**
 * A machine with a systemd of its own, over the files of this one: what is written there is gone afterwards. It has the
 * network of the process that opens it, which has to be one of its own.
 */
export class Machine {
  /** Its files, as this process sees them. */
  readonly root: string
  readonly #changes: string
  #system: ChildProcess | null = null
  #console = ''
  #leader = 0

  private constructor(folder: string) {
    this.root = join(folder, 'root')
    this.#changes = join(folder, 'changes')
  }

  /** `folder` may hold `changes`: files that this machine has beside, or in place of, those here. */
  static async open(cleanup: Cleanup, folder: string, shown: Record<string, string>): Promise<Machine> {
    const machine = new Machine(folder)
    const below = join(folder, 'below')
    for (const made of [machine.root, machine.#changes, join(folder, 'work'), below])
      await mkdir(made, { recursive: true, mode: 0o755 })
    must('mount', '--bind', '/', below)
    const parts = [`lowerdir=${below}`, `upperdir=${machine.#changes}`, `workdir=${join(folder, 'work')}`]
    must('mount', '-t', 'overlay', 'overlay', '-o', parts.join(','), machine.root)
    cleanup.defer(() => {
      must('umount', '-R', machine.root)
      must('umount', below)
    })
    // It begins as a new one: nothing is started that was set up here.
    for (const name of ['multi-user.target.wants', 'timers.target.wants', 'sockets.target.wants'])
      await rm(join(machine.root, 'etc/systemd/system', name), { recursive: true, force: true })
    await writeFile(join(machine.root, 'etc/machine-id'), '')
    await machine.#boot(shown)
    cleanup.defer(() => machine.#halt())
    return machine
  }

  async #boot(shown: Record<string, string>): Promise<void> {
    const binds = Object.entries(shown).map(([from, to]) => `--bind-ro=${from}:${to}`)
    const given = ['--boot', '--quiet', '--register=no', '--keep-unit', '--machine=cong-ninja-drill']
    const folders = [`--directory=${this.root}`, '--resolv-conf=off', '--timezone=off', ...binds]
    const system = spawn('systemd-nspawn', [...given, ...folders], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#system = system
    for (const stream of [system.stdout, system.stderr])
      stream.on(
        'data',
        (chunk: Buffer) => (this.#console = (this.#console + chunk.toString()).slice(-20_000)),
      )
    for (const end = Date.now() + BOOT_MS_MAX; Date.now() < end; await sleep(200)) {
      if (system.exitCode !== null) break
      const child = `/proc/${system.pid}/task/${system.pid}/children`
      this.#leader = Number((await readFile(child, 'utf8').catch(() => '')).split(' ')[0])
      // A few units of a machine without devices fail: that is "degraded".
      if (
        this.#leader > 0 &&
        /^(running|degraded)/m.test((await this.run('systemctl is-system-running')).output)
      )
        return
    }
    await this.#halt()
    throw new DrillProblem(`systemd does not start in a namespace here:\n${this.#console}`)
  }

  /** Commands of a shell in it, as root. */
  async run(commands: string, environment: Record<string, string> = {}, user = 'root'): Promise<Ended> {
    const enter = ['--target', String(this.#leader), '--mount', '--uts', '--ipc', '--pid', '--cgroup']
    const login = user === 'root' ? [] : ['runuser', '-u', user, '--']
    const child = spawn('nsenter', [...enter, ...login, 'bash', '-euo', 'pipefail', '-c', commands], {
      env: {
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        LANG: 'C.UTF-8',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }

  /** The same; throws with what was printed when they fail. */
  async do(commands: string, environment: Record<string, string> = {}, user = 'root'): Promise<string> {
    const { code, output } = await this.run(commands, environment, user)
    if (code === 0) return output
    const log = await this.run("journalctl --no-pager --lines=40 --unit='portal*'")
    throw new DrillProblem(`ended with ${code}:\n${commands}\n${output}\n${log.output}`)
  }

  async #halt(): Promise<void> {
    const system = this.#system
    if (system === null || system.exitCode !== null || system.signalCode !== null) return
    const closed = once(system, 'close')
    // An orderly end would take as long as the slowest service.
    if (this.#leader > 0) process.kill(this.#leader, 'SIGKILL')
    system.kill('SIGKILL')
    await closed
  }
}

function must(program: string, ...given: string[]): void {
  const { status, stderr, error } = spawnSync(program, given, { encoding: 'utf8' })
  if (status !== 0) throw new DrillProblem(`${[program, ...given].join(' ')}: ${error?.message ?? stderr}`)
}
