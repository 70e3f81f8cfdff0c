import { setTimeout as sleep } from 'node:timers/promises'
import { chooseFreePort, writeCredentials } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import { isServing } from './connection.ts'
import type { Place, Tools } from './place.ts'
import { findPostmaster, launchPostmaster, removeMisleadingPidFile } from './postmaster.ts'
import type { Found, Launch } from './postmaster.ts'
import { removeDeadSockets } from './socket.ts'
import { SetupProblem } from '../values/errors.ts'

type Attempt = { credentials: Credentials; launch: Launch | null; unclearSince: number | null }

const START_TIMEOUT_MS = 60_000
const UNCLEAR_PID_FILE_MS = 2_000
const POLL_MS = 20
const RETRY_MS = 200

// Temporary failures of a start: sessions of a killed server still hold its memory; another start was faster; the port
// was taken since the last run.
const PORT_TAKEN = /could not bind/
const PASSING_ENDS = /pre-existing shared memory block|lock file "postmaster\.pid"|could not bind/

/** Adopts the server that already runs on this data directory, or starts one. Returns the port it really listens on. */
export async function ensureRunning(place: Place, kept: Credentials, tools: Tools): Promise<Credentials> {
  const startedAt = Date.now()
  const attempt: Attempt = { credentials: kept, launch: null, unclearSince: null }
  while (Date.now() - startedAt < START_TIMEOUT_MS) {
    const found = await findPostmaster(place.clusterDir)
    if (found.state !== 'running') await advance(found, place, attempt, tools)
    else if (found.isReady) {
      const credentials = { ...attempt.credentials, port: found.port }
      if (await isServing(credentials, place.clusterDir, tools.durable)) {
        if (credentials.port !== kept.port) await writeCredentials(place.credentialsFile, credentials)
        const how = attempt.launch === null ? 'adopted' : 'started'
        tools.log(`embedded postgres ${how}`, { port: credentials.port, took_ms: Date.now() - startedAt })
        return credentials
      }
    }
    await sleep(POLL_MS)
  }
  throw new SetupProblem(
    `PostgreSQL in ${place.clusterDir} is not ready after ${START_TIMEOUT_MS / 1000} s; it may still be recovering: ` +
      `wait, start again, and look at ${place.clusterDir}/server.log`,
  )
}

/** One step towards a running server, while none runs on this data directory. */
async function advance(found: Found, place: Place, attempt: Attempt, tools: Tools): Promise<void> {
  if (attempt.launch !== null) {
    const end = await attempt.launch.ended()
    if (end === null) return
    if (!PASSING_ENDS.test(end))
      throw new SetupProblem(`PostgreSQL in ${place.clusterDir} does not start: ${end}`)
    if (PORT_TAKEN.test(end)) {
      const port = await chooseFreePort()
      const { port: from } = attempt.credentials
      tools.log('embedded postgres: its port is taken, moving to another', { from, to: port })
      attempt.credentials = { ...attempt.credentials, port }
    }
    attempt.launch = null
    await sleep(RETRY_MS)
    return
  }
  attempt.unclearSince = found.state === 'unclear' ? (attempt.unclearSince ?? Date.now()) : null
  if (attempt.unclearSince !== null && Date.now() - attempt.unclearSince < UNCLEAR_PID_FILE_MS) return
  await removeMisleadingPidFile(place.clusterDir, tools.log)
  await removeDeadSockets(place.clusterDir)
  attempt.launch = await launchPostmaster({
    ...tools,
    clusterDir: place.clusterDir,
    port: attempt.credentials.port,
  })
}
