import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { SetupProblem } from '../values/errors.ts'

/** How to start a program of PostgreSQL, which refuses to run as root. */
export type RunAs = {
  /** The user who owns the cluster; null when that is simply ourselves. */
  owner: { uid: number; gid: number } | null
  command: (program: string, args: string[]) => { file: string; args: string[]; uid?: number; gid?: number }
}

type User = { name: string; uid: number; gid: number }

const run = promisify(execFile)
const PREFERRED_USERS = ['postgres', 'nobody']

const asOurselves: RunAs = { owner: null, command: (file, args) => ({ file, args }) }

/**
 * As root: an unprivileged system user, and the least privileged of three ways in which that user reaches both the programs and
 * the data. The checkout or the data directory often lies below directories closed to everybody else (/root, `mktemp -d`).
 * Rather than open them, PostgreSQL then retains one of root's rights: to read and pass anywhere; or else to disregard file modes,
 * since containers often withhold the former, and it does not let a closed program run.
 */
export async function chooseRunAs(binaries: Binaries, dataDir: string, clusterDir: string): Promise<RunAs> {
  if (process.getuid?.() !== 0) return asOurselves
  const user = await chooseUser(clusterDir)
  const ways = [
    plainly(user),
    withCapabilities(user, '+dac_read_search'),
    withCapabilities(user, '+dac_override'),
  ]
  const failures: unknown[] = []
  for (const way of ways) {
    const failure = await probe(way, binaries, dataDir)
    if (failure === null) return way
    failures.push(failure)
  }
  throw new SetupProblem(
    `PostgreSQL does not run as root, and the system user "${user.name}" cannot reach ${dataDir} or ` +
      `${binaries.postgres}: start the portal as an ordinary user; or put program and DATA_DIR where ` +
      `"${user.name}" can read; or install setpriv (package util-linux); or set DATABASE_URL to a PostgreSQL of your own`,
    { cause: new AggregateError(failures) },
  )
}

function plainly(user: User): RunAs {
  return { owner: user, command: (file, args) => ({ file, args, uid: user.uid, gid: user.gid }) }
}

function withCapabilities(user: User, capabilities: string): RunAs {
  const flags = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    // PostgreSQL checks its own programs with access(2), which ignores the rights of a user other than root without this.
    '--securebits=+no_setuid_fixup',
    `--inh-caps=${capabilities}`,
    `--ambient-caps=${capabilities}`,
    '--',
  ]
  return { owner: user, command: (file, args) => ({ file: 'setpriv', args: [...flags, file, ...args] }) }
}

/** A cluster belongs to the user it was made for, whatever users the system gains later. */
async function chooseUser(clusterDir: string): Promise<User> {
  const users = parsePasswd(await readFile('/etc/passwd', 'utf8'))
  // Not there yet on the first start.
  const cluster = await stat(clusterDir).catch(() => null)
  if (cluster !== null && cluster.uid !== 0) {
    const name = users.find((user) => user.uid === cluster.uid)?.name ?? String(cluster.uid)
    return { name, uid: cluster.uid, gid: cluster.gid }
  }
  for (const name of PREFERRED_USERS) {
    const user = users.find((candidate) => candidate.name === name && candidate.uid !== 0)
    if (user !== undefined) return user
  }
  throw new SetupProblem(
    'PostgreSQL does not run as root, and /etc/passwd has no user "postgres" or "nobody": ' +
      'start the portal as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own',
  )
}

function parsePasswd(text: string): User[] {
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/**
 * Tries what PostgreSQL will do: find its programs, libraries and templates, start one program from another (`initdb --show` does all
 * that and makes nothing), and write in a directory of its own in DATA_DIR.
 */
async function probe(way: RunAs, binaries: Binaries, dataDir: string): Promise<unknown> {
  const dir = join(dataDir, `postgres.probe-${randomBytes(4).toString('hex')}`)
  await mkdir(dir, { mode: 0o700 })
  try {
    if (way.owner !== null) await chown(dir, way.owner.uid, way.owner.gid)
    const script = '"$1" --show --locale=C --pgdata="$2/cluster" && : > "$2/written"'
    const { file, args, ...ids } = way.command('/bin/sh', ['-c', script, 'probe', binaries.initdb, dir])
    await run(file, args, { ...ids, cwd: '/', env: binaries.env, timeout: 10_000 })
    return null
  } catch (error) {
    return error
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
