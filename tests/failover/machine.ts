import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kill } from '../harness/faults.ts'
import type { Cleanup } from '../harness/fleet.ts'
import { type End, processesAt } from './network.ts'

type Started = { end(signal?: NodeJS.Signals): Promise<void> }

/** A folder of the drill that a machine has at this place, and whose it is. */
type Mount = { place: string; user: 'root' | 'postgres' | 'etcd' }

/** What is put into a machine before it starts: Debian's places, with files of the drill. */
type Given = { folder: string; files: Readonly<Record<string, string>> }

const MOUNTS: Mount[] = [
  { place: '/etc/patroni', user: 'root' },
  { place: '/etc/default', user: 'root' },
  { place: '/var/lib/postgresql', user: 'postgres' },
  { place: '/var/lib/etcd', user: 'etcd' },
]

/** An acknowledgement without content is shorter. */
const UNHEARD = 'iif != "lo" ip length > 63 drop'

const netfilter = (name: string, rule: string) =>
  void execFileSync('ip', ['netns', 'exec', name, 'nft', rule], { stdio: ['ignore', 'ignore', 'inherit'] })

const idOf = (user: string, option: '-u' | '-g'): number =>
  Number(spawnSync('id', [option, user], { encoding: 'utf8' }).stdout)

export type Machine = Awaited<ReturnType<typeof openMachine>>

/** A machine with a network, files and processes of its own. */
export async function openMachine(cleanup: Cleanup, end: End, { folder, files }: Given) {
  const home = join(folder, end.name)
  const ownFolder = (place: string) => join(home, place.replaceAll('/', '-'))
  await mkdir(home)
  for (const { place, user } of MOUNTS) {
    await mkdir(ownFolder(place), { mode: 0o755 })
    await chown(ownFolder(place), idOf(user, '-u'), idOf(user, '-g'))
  }
  for (const [file, content] of Object.entries(files)) {
    const { place } = MOUNTS.find((one) => file.startsWith(`${one.place}/`)) as Mount
    const own = join(ownFolder(place), file.slice(place.length))
    await writeFile(own, content)
    await chmod(own, 0o644)
  }
  /** On the machine, with its own files; a reboot empties what is below `/run`. */
  const inside = (command: string) => [
    'netns',
    'exec',
    end.name,
    'unshare',
    '--mount',
    'sh',
    '-ec',
    [
      ...MOUNTS.map(({ place }) => `mount --bind ${ownFolder(place)} ${place}`),
      'mkdir -p /run/postgresql',
      'mount -t tmpfs -o mode=2775,uid=postgres,gid=postgres tmpfs /run/postgresql',
      command,
    ].join('\n'),
  ]

  const machine = {
    ...end,
    log: (service: string) => join(folder, `${end.name}-${service}.log`),
    /** A service by the line of its unit. */
    start(service: string, user: string, line: string): Started {
      const output = openSync(machine.log(service), 'a')
      const command = `exec setpriv --reuid=${user} --regid=${user} --init-groups ${line}`
      const child: ChildProcess = spawn('ip', inside(command), {
        stdio: ['ignore', output, output],
        cwd: '/',
      })
      closeSync(output)
      const closed = once(child, 'close')
      return {
        async end(signal = 'SIGTERM') {
          if (child.exitCode !== null || child.signalCode !== null) return
          child.kill(signal)
          await closed
        },
      }
    },
    /** What somebody types there. */
    run(command: string): { code: number; output: string } {
      const { status, stdout, stderr } = spawnSync('ip', inside(command), { encoding: 'utf8' })
      return { code: status ?? 1, output: stdout + stderr }
    },
    signal(signal: NodeJS.Signals) {
      for (const pid of processesAt(end.name)) kill(pid, signal)
    },
    /** Everything on it is gone at once, as without power. */
    async powerOff() {
      for (; processesAt(end.name).length > 0; await sleep(50)) machine.signal('SIGKILL')
    },
    /**
     * Nothing of it runs, as while a virtual machine is moved. Its kernel goes on here: it takes in nothing that says
     * anything, and keeps its connections; what was sent meanwhile is sent again some time after the end.
     */
    pause() {
      netfilter(
        end.name,
        `add table inet pause { chain input { type filter hook input priority 0; ${UNHEARD}; }; }`,
      )
      machine.signal('SIGSTOP')
    },
    resume() {
      machine.signal('SIGCONT')
      netfilter(end.name, 'delete table inet pause')
    },
  }
  cleanup.defer(() => machine.powerOff())
  return machine
}
