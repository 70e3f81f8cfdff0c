import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { unitOf } from './files.ts'

export type User = { uid: number; gid: number } | null
export type Running = { end(): Promise<void>; output(): string; hasEnded(): boolean }

type Environment = Record<string, string>
type Options = { folder: string; user: User; blocks: Map<string, string> }

/** Nobody in particular, where the check is started by root; else the user who started it. */
export function ordinaryUser(): User {
  if (process.getuid?.() !== 0) return null
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** Where the commands of the runbook are run, and what they started. */
export class Installation {
  readonly folder: string
  readonly #user: User
  readonly #blocks: Map<string, string>
  readonly #running: Running[] = []
  #environment: Environment = {}

  constructor({ folder, user, blocks }: Options) {
    this.folder = folder
    this.#user = user
    this.#blocks = blocks
  }

  /** A copy of the project as it is committed, which the user may read, and the values of the runbook. */
  async prepare(root: string, values: Environment & { REPO: string }): Promise<void> {
    const configured = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' })
    this.#environment = {
      PATH:
        process.env.PATH?.split(':')
          .filter((part) => !part.includes('node_modules'))
          .join(':') ?? '',
      HOME: this.folder,
      LANG: 'C.UTF-8',
      npm_config_registry: configured.stdout.trim(),
      ...values,
    }
    spawnSync('git', ['clone', '--quiet', '--bare', root, values.REPO])
    if (this.#user) spawnSync('chown', ['-R', `${this.#user.uid}:${this.#user.gid}`, values.REPO])
  }

  block(name: string): string {
    const commands = this.#blocks.get(name)
    if (commands === undefined) throw new Error(`the runbook has no commands named ${name}`)
    return commands
  }

  /** The commands of a block of the runbook. */
  async run(name: string, environment: Environment = {}): Promise<void> {
    await this.shell(this.block(name), `the runbook’s “${name}”`, environment)
  }

  async shell(commands: string, label: string | null, environment: Environment = {}): Promise<void> {
    const startedAt = performance.now()
    const child = this.spawn('bash', ['-euo', 'pipefail', '-c', commands], environment)
    const [code] = (await once(child.process, 'close')) as [number | null]
    if (code !== 0) throw new Error(`${label ?? commands} ended with ${code}:\n${child.output()}`)
    if (label !== null) console.log(`  ${label}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  }

  spawn(
    file: string,
    args: readonly string[],
    environment: Environment,
    cwd = this.folder,
  ): { process: ChildProcess; output(): string } {
    const child = spawn(file, args, {
      cwd,
      env: { ...this.#environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...this.#user,
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-20_000)))
    return { process: child, output: () => text }
  }

  /** A program that runs until it is ended. */
  start(
    file: string,
    args: readonly string[],
    options: { environment?: Environment; cwd?: string; signal?: NodeJS.Signals } = {},
  ): Running {
    const { process: child, output } = this.spawn(file, args, options.environment ?? {}, options.cwd)
    const closed = once(child, 'close')
    const running: Running = {
      output,
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      async end() {
        if (!running.hasEnded()) child.kill(options.signal ?? 'SIGTERM')
        await closed
        if (child.exitCode !== 0) throw new Error(`${file} ended with ${child.exitCode}:\n${output()}`)
      },
    }
    this.#running.push(running)
    return running
  }

  /** What systemd would start for a unit of deploy/systemd. */
  async unit(
    name: string,
    { specifiers = {}, port }: { specifiers?: Environment; port?: number } = {},
  ): Promise<Running> {
    const { APP = '', CONF = '', DATA = '' } = this.#environment
    const moved = { '/opt/cong-ninja': APP, '/etc/cong-ninja': CONF, '/var/lib/cong-ninja': DATA }
    const text = await readFile(join(APP, 'deploy/systemd', name), 'utf8')
    const { command, environment } = unitOf(text, { specifiers, moved })
    const lines = (await readFile(join(CONF, 'portal.env'), 'utf8')).matchAll(/^(\w+)=(.*)$/gm)
    const settings = Object.fromEntries([...lines].map(([, key = '', value = '']) => [key, value]))
    const [file = '', ...args] = command
    // As systemd does it: the settings' file counts before the unit.
    const given = { ...environment, ...settings, ...(port === undefined ? {} : { PORT: String(port) }) }
    return this.start(file, args, { environment: given, cwd: APP })
  }

  async ready(port: number, running: Running, waitMs: number): Promise<void> {
    const startedAt = performance.now()
    while (performance.now() - startedAt < waitMs) {
      if (running.hasEnded()) throw new Error(`it ended at its start:\n${running.output()}`)
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      if (answer?.ok) {
        console.log(`  ready at port ${port}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
        return
      }
      await sleep(100)
    }
    throw new Error(`not ready after ${waitMs} ms:\n${running.output()}`)
  }

  async expectStatus(url: string, expected: number): Promise<void> {
    const { status } = await fetch(url)
    if (status !== expected) throw new Error(`${url} answered ${status}, not ${expected}`)
  }

  async close(): Promise<void> {
    for (const running of this.#running.reverse())
      if (!running.hasEnded()) await running.end().catch(console.error)
  }
}
