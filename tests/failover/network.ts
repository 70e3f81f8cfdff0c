import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** The machine that runs the portal, PgBouncer, the game and the clients. */
export const OWN_ADDRESS = '10.0.0.254'
const BRIDGE = 'machines'
/** Nobody's: what is sent there is lost, as behind a broken switch, and nobody is told. */
const NOWHERE = '02:00:00:00:00:99'

const ip = (...words: string[]) => execFileSync('ip', words, { stdio: ['ignore', 'pipe', 'inherit'] })

const MARK = 'FAILOVER_DRILL_NETWORK'

/** Everything ends with the first process in there, which waits also for those that lost their parent. */
const OWN = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child']
const FIRST = `trap 'exit 130' INT TERM; "$@" & wait $!`

/** Starts this program again in a network and with mounts and processes of its own; true in there. */
export function isInOwnNetwork(): boolean {
  if (process.env[MARK] !== undefined) return true
  const again = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const { status } = spawnSync('unshare', [...OWN, 'sh', '-c', FIRST, 'sh', ...again], {
    stdio: 'inherit',
    env: { ...process.env, [MARK]: '1' },
  })
  process.exitCode = status ?? 1
  return false
}

/** One end of the network. */
export type End = { name: string; address: string }

/** The machines of the drill, each with an address of its own, and the lines between each two of them. */
export function openNetwork(machines: readonly End[]) {
  mkdirSync('/run/netns', { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns'])
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('addr', 'add', `${OWN_ADDRESS}/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  for (const { name, address } of machines) {
    ip('netns', 'add', name)
    ip('link', 'add', `to-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('link', 'set', `to-${name}`, 'master', BRIDGE, 'up')
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', name, 'link', 'set', 'eth0', 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
  }
  /** Null: the portal's machine. */
  const neighbour = (from: End | null, to: End | null, act: readonly string[]) =>
    ip(
      ...(from === null ? [] : ['-n', from.name]),
      'neigh',
      act[0] as string,
      to?.address ?? OWN_ADDRESS,
      ...act.slice(1),
      'dev',
      from === null ? BRIDGE : 'eth0',
    )
  const cut = new Set<string>()
  const keyOf = (from: End | null, to: End | null) => `${from?.name ?? ''}>${to?.name ?? ''}`
  return {
    /** From now on nothing arrives that is sent in this direction, on old connections and new ones. */
    cut(from: End | null, to: End | null) {
      cut.add(keyOf(from, to))
      neighbour(from, to, ['replace', 'lladdr', NOWHERE, 'nud', 'permanent'])
    },
    mend(from: End | null, to: End | null) {
      if (cut.delete(keyOf(from, to))) neighbour(from, to, ['del'])
    },
  }
}

/** Everything that runs on a machine. */
export const processesAt = (name: string): number[] =>
  execFileSync('ip', ['netns', 'pids', name], { encoding: 'utf8' }).split('\n').filter(Boolean).map(Number)
