import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const BOOT = fileURLToPath(new URL('boot.sh', import.meta.url))
/** Layers of earlier runs: a second one downloads and unpacks nothing. */
export const CACHE = '/var/cache/cong-ninja/install-check'
const BOOT_MS = 60_000
/** How packages are reached from here; the rest of the environment stays outside. */
const REACHING = /^(npm_config_registry|https?_proxy|no_proxy)$/i
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

export const missingPrograms = (): string[] =>
  ['debootstrap', 'unshare', 'nsenter', 'setpriv', 'systemd-analyze'].filter(
    (name) => spawnSync('which', [name]).status !== 0,
  )

/** A new Debian 12 as debootstrap makes it, with the Node, the npm and the registries of this machine. */
export async function debian(): Promise<string> {
  const folder = join(CACHE, 'debian-12')
  if (existsSync(folder)) return folder
  const making = `${folder}.part`
  await rm(making, { recursive: true, force: true })
  await mkdir(CACHE, { recursive: true })
  must('debootstrap', ['--include=systemd-sysv,dbus', 'bookworm', making, 'http://deb.debian.org/debian'])
  const [node, npm] = [ofThisMachine('node'), ofThisMachine('npm')]
  await copyFile(node, join(making, 'usr/local/bin/node'))
  const npmFolder = join(making, 'usr/local/lib/node_modules/npm')
  await cp(join(dirname(npm), '..'), npmFolder, { recursive: true })
  for (const name of ['npm', 'npx'])
    must('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(making, 'usr/local/bin', name)])
  for (const [from, to] of [
    [AUTHORITIES, 'etc/authorities.crt'],
    ['/etc/resolv.conf', 'etc/resolv.conf'],
    [join(homedir(), '.npmrc'), 'root/.npmrc'],
  ] as const)
    if (existsSync(from)) await copyFile(from, join(making, to))
  await rename(making, folder)
  return folder
}

/** Where a program is, apart from the pinned ones of this checkout. */
function ofThisMachine(name: string): string {
  const folders = process.env.PATH?.split(':').filter((folder) => !folder.includes('node_modules')) ?? []
  const found = folders.map((folder) => join(folder, name)).find(existsSync)
  if (found === undefined) throw new Error(`${name} is not in PATH`)
  return realpathSync(found)
}

type Booting = {
  /** Folders under it, the newest first. */
  layers: readonly string[]
  /** What is there at /mnt. */
  shared: string
}

/** A running machine. Only what is run with `online` reaches beyond its own loopback. */
export class Machine {
  readonly #folder: string
  readonly #process: ChildProcess
  readonly #cgroup: string
  #pid = 0
  #output = ''

  private constructor(folder: string, cgroup: string, { layers, shared }: Booting) {
    this.#folder = folder
    this.#cgroup = cgroup
    const namespaces = ['--mount', '--pid', '--net', '--uts', '--ipc', '--cgroup', '--fork', '--kill-child']
    const folders = ['upper', 'work', 'root'].map((name) => join(folder, name))
    const [upper, work, root] = folders as [string, string, string]
    // Its own place among the control groups, which systemd then takes for all there are.
    const enter = `echo $$ > "${cgroup}/cgroup.procs" && exec "$@"`
    // It ends with this process, however that ends.
    const bound = ['setpriv', '--pdeathsig', 'KILL', 'unshare', ...namespaces]
    const boot = ['bash', BOOT, layers.join(':'), upper, work, root, shared]
    this.#process = spawn('bash', ['-c', enter, 'bash', ...bound, ...boot], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-20_000)))
  }

  static async boot(booting: Booting): Promise<Machine> {
    await mkdir(CACHE, { recursive: true })
    const folder = await mkdtemp(join(CACHE, 'run-'))
    for (const name of ['upper', 'work', 'root']) await mkdir(join(folder, name))
    const place = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((one) =>
      existsSync(join(one, 'cgroup.procs')),
    )
    if (place === undefined) throw new Error('this machine has no cgroup2, which systemd needs')
    const cgroup = await mkdtemp(join(place, 'install-check-'))
    const machine = new Machine(folder, cgroup, booting)
    await machine.#untilBooted()
    return machine
  }

  async #untilBooted(): Promise<void> {
    for (const until = Date.now() + BOOT_MS; Date.now() < until; await sleep(100)) {
      if (this.#process.exitCode !== null) break
      this.#pid = await initOf(this.#process.pid as number)
      if (this.#pid === 0) continue
      const { stdout } = spawnSync('nsenter', [...this.#inside(), 'systemctl', 'is-system-running'], {
        encoding: 'utf8',
      })
      if (/^(running|degraded)/.test(stdout)) return
    }
    throw new Error(`the machine does not boot:\n${this.#output}`)
  }

  #inside(online = false): string[] {
    const own = online ? [] : ['--net']
    return [
      '--target',
      String(this.#pid),
      '--mount',
      '--pid',
      ...own,
      '--uts',
      '--ipc',
      '--root',
      '--wdns=/root',
      '--',
    ]
  }

  /** A program of this machine that reaches the other one's loopback. */
  onItsNetwork(command: readonly string[]): string[] {
    return ['nsenter', '--target', String(this.#pid), '--net', '--', ...command]
  }

  /** A file of it, from here. */
  path(file: string): string {
    return `/proc/${this.#pid}/root/${file}`
  }

  /** A shell of root; `online` reaches the registries. */
  shell({ online = false }: { online?: boolean } = {}): Shell {
    const reaching = Object.entries(process.env).filter(([name]) => online && REACHING.test(name))
    const environment = {
      HOME: '/root',
      LANG: 'C.UTF-8',
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      DEBIAN_FRONTEND: 'noninteractive',
      ...Object.fromEntries(reaching),
      ...(online ? { NODE_EXTRA_CA_CERTS: '/etc/authorities.crt' } : {}),
    }
    const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    return new Shell('nsenter', [
      ...this.#inside(online),
      'env',
      '-i',
      ...settings,
      'bash',
      '--noprofile',
      '--norc',
    ])
  }

  /** Its changes as a layer for further machines, in place of those of another key. */
  async layer(name: string): Promise<string> {
    await this.#halt()
    const target = join(CACHE, name)
    const kind = name.slice(0, name.lastIndexOf('-') + 1)
    for (const old of await readdir(CACHE))
      if (old.startsWith(kind)) await rm(join(CACHE, old), { recursive: true, force: true })
    await rm(target, { recursive: true, force: true })
    await rename(join(this.#folder, 'upper'), target)
    await this.#clear()
    return target
  }

  async end(): Promise<void> {
    await this.#halt()
    await this.#clear()
  }

  async #halt(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const closed = once(this.#process, 'close')
    spawnSync('nsenter', [...this.#inside(), 'systemctl', 'poweroff', '--force'])
    const late = setTimeout(() => process.kill(this.#pid, 'SIGKILL'), 20_000)
    await closed
    clearTimeout(late)
  }

  async #clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
    await removeCgroup(this.#cgroup)
  }
}

/** The process behind `unshare --fork`, as this machine numbers it; 0 before systemd runs. */
async function initOf(unshare: number): Promise<number> {
  const children = await readFile(`/proc/${unshare}/task/${unshare}/children`, 'utf8').catch(() => '')
  const pid = Number(children.trim().split(' ')[0] ?? 0)
  const name = pid === 0 ? '' : await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  return name.trim() === 'systemd' ? pid : 0
}

async function removeCgroup(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await removeCgroup(join(folder, entry.name))
  await rmdir(folder).catch(() => {})
}

/** One bash, as an administrator has it open: what a command exports is there for the next. */
export class Shell {
  readonly #process: ChildProcess
  #output = ''
  #count = 0

  constructor(file: string, args: readonly string[]) {
    this.#process = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
  }

  /** Answers what was printed; a command that fails ends it there and throws. */
  async run(commands: string, label: string | null = null): Promise<string> {
    const mark = `--- ${++this.#count} ends `
    const began = performance.now()
    this.#output = ''
    // Read whole before it runs, so that a command that reads its input does not read the rest. No subshell: exports stay.
    const text = Buffer.from(`set -e -o pipefail\n${commands}\nset +e`).toString('base64')
    this.#process.stdin?.write(
      `{ trap 'echo "${mark}$?"; exit' EXIT; eval "$(echo ${text} | base64 -d)"; trap - EXIT; echo "${mark}0"; } </dev/null\n`,
    )
    const ended = new RegExp(`^${mark}(\\d+)$`, 'm')
    while (!ended.test(this.#output) && this.#process.exitCode === null) await sleep(20)
    const code = ended.exec(this.#output)?.[1]
    const output = this.#output.replace(ended, '').trim()
    if (code !== '0')
      throw new Error(`${label ?? commands} ended with ${code ?? 'no code'}:\n${output.slice(-6_000)}`)
    if (label !== null) console.log(`  ${label}: ${((performance.now() - began) / 1_000).toFixed(1)} s`)
    return output
  }

  end(): void {
    this.#process.stdin?.end()
  }
}

/** Part of the name of a cached layer: another text, another layer. */
export const keyOf = (...texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 12)

export const cachedLayer = (name: string): string | null => {
  const folder = join(CACHE, name)
  return existsSync(folder) ? folder : null
}

export function must(file: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${status}:\n${stderr}`)
}
