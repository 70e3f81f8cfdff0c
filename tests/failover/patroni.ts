import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, globSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, isAlive } from '#tests/support/processes.ts'
import { freePort } from '#tests/support/network.ts'
import { asRole, UNPRIVILEGED } from '#tests/support/pgbouncer.ts'
import { kill, killTree } from '../harness/faults.ts'
import type { Cleanup } from '../harness/fleet.ts'
import { postmasterOf } from '../harness/resources.ts'
import { openLine } from './line.ts'

const SHIPPED = 'deploy/postgres/patroni.yml'
const SUPERUSER_PASSWORD = 'the-password-of-the-superuser'
const OWNER_PASSWORD = 'the-password-of-the-owner'

/** Debian's own, oldest version first. */
const postgresPrograms = (): string | undefined =>
  globSync('/usr/lib/postgresql/{15,16,17,18}/bin/pg_rewind').toSorted().map(dirname)[0]

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined

/** Packages that the drill needs and that are not installed. */
export const missingPackages = (): string[] =>
  [
    isThere('patroni') && isThere('patronictl') ? '' : 'patroni',
    isThere('etcd') ? '' : 'etcd-server',
    postgresPrograms() ? '' : 'postgresql-15 or newer',
  ].filter(Boolean)

/** What runs here, for the report. */
export const versions = (): string =>
  [
    ['patroni', '--version'],
    ['etcd', '--version'],
    [join(postgresPrograms() ?? '', 'postgres'), '--version'],
  ]
    .map(
      ([program = '', option = '']) =>
        spawnSync(program, [option], { encoding: 'utf8' }).stdout.split('\n')[0],
    )
    .join(', ')

type Started = { child: ChildProcess; end(signal?: NodeJS.Signals): Promise<void> }

/** As a user without rights, everything it says in a file. */
function start(program: string, words: readonly string[], log: string): Started {
  const output = openSync(log, 'a')
  const child = spawn(program, words, { stdio: ['ignore', output, output], cwd: '/', ...UNPRIVILEGED })
  closeSync(output)
  const closed = once(child, 'close')
  return {
    child,
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await closed
    },
  }
}

/** A folder that the user without rights owns. */
async function ownFolder(place: string): Promise<void> {
  await mkdir(place, { mode: 0o700 })
  if (UNPRIVILEGED.uid !== undefined) await chown(place, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
}

/** The etcd of the drill: one, since its absence is a fault of its own. */
async function openEtcd(cleanup: Cleanup, folder: string) {
  const [port, peerPort] = [await freePort(), await freePort()]
  const place = join(folder, 'etcd')
  await ownFolder(place)
  const [url, peerUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  const words = [
    ['name', 'one'],
    ['data-dir', join(place, 'data')],
    ['listen-client-urls', url],
    ['advertise-client-urls', url],
    ['listen-peer-urls', peerUrl],
    ['initial-advertise-peer-urls', peerUrl],
    ['initial-cluster', `one=${peerUrl}`],
  ].map(([name, value]) => `--${name}=${value}`)
  let running = start('etcd', words, join(folder, 'etcd.log'))
  cleanup.defer(() => running.end('SIGKILL'))
  return {
    port,
    kill: () => running.end('SIGKILL'),
    start() {
      running = start('etcd', words, join(folder, 'etcd.log'))
    },
  }
}

/** One Patroni with its PostgreSQL, as on a machine of its own. */
export type Member = Awaited<ReturnType<typeof openMember>>

type Place = { name: string; folder: string; etcdPort: number; isStrict: boolean }

async function openMember(cleanup: Cleanup, { name, folder, etcdPort, isStrict }: Place) {
  const [port, restPort] = [await freePort(), await freePort()]
  const place = join(folder, name)
  await ownFolder(place)
  const dataDir = join(place, 'data')
  const toEtcd = await openLine(etcdPort)
  cleanup.defer(() => toEtcd.close())
  const file = join(folder, `${name}.yml`)
  const shipped = await readFile(SHIPPED, 'utf8')
  await writeFile(
    file,
    withPlaces(shipped, { name, port, restPort, place, dataDir, etcdPort: toEtcd.port }).replace(
      /synchronous_mode_strict: true/,
      `synchronous_mode_strict: ${isStrict}`,
    ),
  )
  const log = join(folder, `${name}.log`)
  let running: Started | null = null
  const patroniPid = () => running?.child.pid as number
  const postmaster = () => postmasterOf(dataDir).catch(() => 0)
  const all = async () => {
    const first = await postmaster()
    const postgres = first > 0 && isAlive(first) ? [first, ...(await childrenOf(first))] : []
    return [patroniPid(), ...(await childrenOf(patroniPid())), ...postgres]
  }
  const member = {
    name,
    port,
    restUrl: `http://127.0.0.1:${restPort}`,
    file,
    log,
    adminUrl: `postgres://postgres:${SUPERUSER_PASSWORD}@127.0.0.1:${port}/postgres`,
    start() {
      running = start('patroni', [file], log)
    },
    /** kill -9 of everything on the machine. */
    async kill() {
      const first = await postmaster()
      await running?.end('SIGKILL')
      running = null
      if (first > 0 && isAlive(first)) await killTree(first)
    },
    /** `systemctl restart patroni`. */
    async restart() {
      await running?.end('SIGTERM')
      member.start()
    },
    /** Nothing of the machine runs, as while a virtual machine is moved. */
    async pause() {
      toEtcd.hold()
      for (const pid of await all()) kill(pid, 'SIGSTOP')
    },
    async resume() {
      for (const pid of await all()) kill(pid, 'SIGCONT')
      toEtcd.release()
    },
  }
  cleanup.defer(() => member.kill())
  return member
}

type Places = {
  name: string
  port: number
  restPort: number
  place: string
  dataDir: string
  etcdPort: number
}

/** The shipped file; only names, places and passwords are others, and there is no watchdog here. */
function withPlaces(shipped: string, places: Places): string {
  const { name, port, restPort, place, dataDir, etcdPort } = places
  return shipped
    .replace(/^name: .*$/m, `name: ${name}`)
    .replaceAll(/10\.0\.0\.1:8008/g, `127.0.0.1:${restPort}`)
    .replace(/^( +)hosts: .*$/m, `$1hosts: 127.0.0.1:${etcdPort}\n$1use_proxies: true`)
    .replaceAll(/10\.0\.0\.1:5432/g, `127.0.0.1:${port}`)
    .replaceAll('10.0.0.0/24', '127.0.0.1/32')
    .replace(/^( +bin_dir: ).*$/m, `$1${postgresPrograms()}`)
    .replace(/^( +data_dir: ).*$/m, `$1${dataDir}`)
    .replace(/^( +pgpass: ).*$/m, `$1${join(place, 'pgpass')}`)
    .replace('password: change-me-1', `password: ${SUPERUSER_PASSWORD}`)
    .replace('mode: required', 'mode: "off"')
    .replace(/^( +)max_connections: .*$/m, `$1max_connections: 200\n$1unix_socket_directories: ''`)
}

type Row = { name: string; role: string; state: string; timeline?: number }

export type PatroniCluster = Awaited<ReturnType<typeof openPatroni>>

const HEALED_MS_MAX = 240_000
/** A standby that follows is one that commits wait for after two rounds of Patroni. */
const STUCK_MS = 40_000

/** etcd and two members, the first of which has made the database of the portal. */
export async function openPatroni(cleanup: Cleanup, folder: string, isStrict: boolean) {
  await chmod(folder, 0o755)
  const etcd = await openEtcd(cleanup, folder)
  const place = { folder, etcdPort: etcd.port, isStrict }
  const members = [
    await openMember(cleanup, { ...place, name: 'db1' }),
    await openMember(cleanup, { ...place, name: 'db2' }),
  ] as [Member, Member]
  const rows = async (): Promise<Row[]> => {
    for (const { restUrl } of members) {
      const answer = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      )
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
        await member.restart()
        stuckSince = Date.now()
      }
    }
    throw new Error(`no primary with a standby within ${HEALED_MS_MAX} ms: ${JSON.stringify(await rows())}`)
  }
  const [first, second] = members
  first.start()
  await until('the first member is primary', async () =>
    (await rows()).some(({ role, state }) => role === 'leader' && state === 'running'),
  )
  second.start()
  const { adminUrl } = await healed()
  await asRole(adminUrl, `CREATE ROLE portal LOGIN CREATEROLE PASSWORD '${OWNER_PASSWORD}'`)
  await asRole(adminUrl, 'CREATE DATABASE portal OWNER portal')
  const hosts = members.map(({ port }) => `127.0.0.1:${port}`).join()
  return {
    etcd,
    members,
    rows,
    healed,
    /** How often Patroni had to be restarted. */
    restarts: () => restarts,
    /** As docs/runbooks/failover.md writes it. */
    ownerUrl: `postgres://portal:${OWNER_PASSWORD}@${hosts}/portal?target_session_attrs=read-write`,
    ownerUrlAt: ({ port }: Member) => `postgres://portal:${OWNER_PASSWORD}@127.0.0.1:${port}/portal`,
    async switchOver(from: Member) {
      const to = members.find((one) => one !== from) as Member
      const words = [
        '-c',
        from.file,
        'switchover',
        '--leader',
        from.name,
        '--candidate',
        to.name,
        '--force',
        'portal',
      ]
      const child = spawn('patronictl', words, { stdio: 'ignore', cwd: '/', ...UNPRIVILEGED })
      const [code] = (await once(child, 'close')) as [number | null]
      if (code !== 0) throw new Error(`patronictl ${words.join(' ')} ended with ${code}`)
    },
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + HEALED_MS_MAX; Date.now() < end; await sleep(250)) if (await isSo()) return
  throw new Error(`not within ${HEALED_MS_MAX} ms: ${what}`)
}
