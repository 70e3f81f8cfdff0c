import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { asRole } from '#tests/support/pgbouncer.ts'
import type { Cleanup } from '../harness/fleet.ts'
import { type Machine, openMachine } from './machine.ts'
import { type End, openNetwork } from './network.ts'

const OWNER_PASSWORD = 'the-password-of-the-owner'
/** As it stands in the shipped file. */
const SUPERUSER_PASSWORD = 'change-me-1'

/** Debian's own, oldest version first. */
const postgresPrograms = (): string | undefined =>
  globSync('/usr/lib/postgresql/{15,16,17,18}/bin/pg_rewind').toSorted().map(dirname)[0]

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined

/** What the drill needs and this machine does not have. */
export const missingHere = (): string[] =>
  [
    isThere('patroni') && isThere('patronictl') ? '' : 'patroni',
    isThere('etcd') ? '' : 'etcd-server',
    isThere('etcdctl') ? '' : 'etcd-client',
    isThere('nft') ? '' : 'nftables',
    isThere('pgbouncer') ? '' : 'pgbouncer',
    postgresPrograms() ? '' : 'postgresql-15 or newer',
    spawnSync('unshare', ['--net', '--mount', 'true']).status === 0 ? '' : 'root, for networks of its own',
  ].filter(Boolean)

/** What runs here, for the report. */
export const versions = (): string =>
  [
    ['patroni', '--version'],
    ['etcd', '--version'],
    ['pgbouncer', '--version'],
    [join(postgresPrograms() ?? '', 'postgres'), '--version'],
  ]
    .map(
      ([program = '', option = '']) =>
        spawnSync(program, [option], { encoding: 'utf8' }).stdout.split('\n')[0],
    )
    .join(', ')

/** The addresses of the shipped files. */
const ENDS: [End, End, End] = [
  { name: 'db1', address: '10.0.0.1' },
  { name: 'db2', address: '10.0.0.2' },
  { name: 'db3', address: '10.0.0.3' },
]

/** The shipped files on this machine: its name and address, what the runbook says for a machine without watchdog. */
async function filesOf({ name, address }: End, isStrict: boolean): Promise<Record<string, string>> {
  const patroni = await readFile('deploy/postgres/patroni.yml', 'utf8')
  const etcd = await readFile('deploy/postgres/etcd', 'utf8')
  const version = basename(dirname(postgresPrograms() ?? ''))
  return {
    '/etc/patroni/config.yml': patroni
      .replace(/^name: db1$/m, `name: ${name}`)
      .replaceAll(/10\.0\.0\.1:(8008|5432)/g, `${address}:$1`)
      .replaceAll('/postgresql/15/', `/postgresql/${version}/`)
      .replace('mode: required', 'mode: automatic')
      .replace('synchronous_mode_strict: true', `synchronous_mode_strict: ${isStrict}`),
    '/etc/default/etcd': etcd
      .replace('ETCD_NAME=db1', `ETCD_NAME=${name}`)
      .replaceAll(/^(ETCD_(?!INITIAL_CLUSTER=).*)10\.0\.0\.1/gm, `$1${address}`),
  }
}

/** Debian's units, in their own words. */
const ETCD = 'sh -c "set -a; . /etc/default/etcd; exec /usr/bin/etcd"'
const PATRONI = '/usr/bin/patroni /etc/patroni/config.yml'

/** A machine with etcd, and with a PostgreSQL under Patroni if it is a member. */
function servicesOn(machine: Machine, isMember: boolean) {
  let etcd: ReturnType<Machine['start']> | null = null
  let patroni: ReturnType<Machine['start']> | null = null
  const self = {
    machine,
    name: machine.name,
    restUrl: `http://${machine.address}:8008`,
    adminUrl: `postgres://postgres:${SUPERUSER_PASSWORD}@${machine.address}:5432/postgres`,
    startEtcd() {
      etcd = machine.start('etcd', 'etcd', ETCD)
    },
    killEtcd: async () => void (await etcd?.end('SIGKILL')),
    startPatroni() {
      patroni = machine.start('patroni', 'postgres', PATRONI)
    },
    powerOn() {
      self.startEtcd()
      if (isMember) self.startPatroni()
    },
    /** `systemctl restart patroni`. */
    async restartPatroni() {
      await patroni?.end('SIGTERM')
      self.startPatroni()
    },
  }
  return self
}

/** One Patroni with its PostgreSQL, as on a machine of its own. */
export type Member = ReturnType<typeof servicesOn>

type Row = { name: string; role: string; state: string; timeline?: number }

export type PatroniCluster = Awaited<ReturnType<typeof openPatroni>>

const HEALED_MS_MAX = 240_000
/** A standby that follows is one that commits wait for after two rounds of Patroni. */
const STUCK_MS = 40_000

/** Three machines with etcd and two of them with PostgreSQL, the first of which has made the database of the portal. */
export async function openPatroni(cleanup: Cleanup, folder: string, isStrict: boolean) {
  await chmod(folder, 0o755)
  const network = openNetwork(ENDS)
  const on = async (end: End, isMember: boolean) => {
    const given = { folder, files: await filesOf(end, isStrict) }
    return servicesOn(await openMachine(cleanup, end, given), isMember)
  }
  const members = [await on(ENDS[0], true), await on(ENDS[1], true)] as [Member, Member]
  const machines = [...members, await on(ENDS[2], false)]
  const [first, second] = members
  const rows = async (): Promise<Row[]> => {
    for (const { restUrl } of members) {
      const signal = AbortSignal.timeout(2_000)
      const answer = await fetch(`${restUrl}/cluster`, { signal }).catch(() => null)
      if (answer?.ok) return ((await answer.json()) as { members: Row[] }).members
    }
    return []
  }
  let restarts = 0
  /**
   * Until there are a primary and a standby that it waits for. Where Patroni does not come to it by itself, the primary's is
   * restarted, as the runbook says.
   */
  const healed = async (): Promise<Member> => {
    let stuckSince = Date.now()
    for (const end = Date.now() + HEALED_MS_MAX; Date.now() < end; await sleep(250)) {
      const found = await rows()
      const leader = found.find(({ role, state }) => role === 'leader' && state === 'running')
      const member = members.find(({ name }) => name === leader?.name)
      const other = found.find(({ name }) => name !== leader?.name)
      if (!member || other?.state !== 'running' || other.timeline !== leader?.timeline) {
        stuckSince = Date.now()
        continue
      }
      if (other.role === 'sync_standby') {
        const question = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`
        if ((await asRole(member.adminUrl, question).catch(() => [])).length > 0) return member
      } else if (Date.now() > stuckSince + STUCK_MS) {
        restarts++
        await member.restartPatroni()
        stuckSince = Date.now()
      }
    }
    throw new Error(`no primary with a standby within ${HEALED_MS_MAX} ms: ${JSON.stringify(await rows())}`)
  }
  for (const machine of machines) machine.startEtcd()
  first.startPatroni()
  await until('the first member is primary', async () =>
    (await rows()).some(({ role, state }) => role === 'leader' && state === 'running'),
  )
  second.startPatroni()
  const { adminUrl } = await healed()
  await asRole(adminUrl, `CREATE ROLE portal LOGIN CREATEROLE PASSWORD '${OWNER_PASSWORD}'`)
  await asRole(adminUrl, 'CREATE DATABASE portal OWNER portal')
  const hosts = members.map(({ machine }) => machine.address).join()
  return {
    network,
    machines,
    members,
    /** The other one of two. */
    otherThan: (member: Member) => (member === first ? second : first),
    healed,
    /** How often Patroni had to be restarted. */
    restarts: () => restarts,
    /** As docs/runbooks/failover.md writes it. */
    ownerUrl: `postgres://portal:${OWNER_PASSWORD}@${hosts}/portal?target_session_attrs=read-write`,
    ownerUrlAt: ({ machine }: Member) => `postgres://portal:${OWNER_PASSWORD}@${machine.address}/portal`,
    switchOver(from: Member) {
      const to = from === first ? second : first
      const command = `patronictl -c /etc/patroni/config.yml switchover --leader ${from.name} --candidate ${to.name} --force`
      const { code, output } = from.machine.run(command)
      if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
    },
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + HEALED_MS_MAX; Date.now() < end; await sleep(250)) if (await isSo()) return
  throw new Error(`not within ${HEALED_MS_MAX} ms: ${what}`)
}
