import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { chooseFreePort, writeCredentials } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import { greet } from './greeting.ts'
import type { Log, Place } from './place.ts'
import { findPostmaster, launchPostmaster, removeMisleadingPidFile } from './postmaster.ts'
import type { Found, Launch } from './postmaster.ts'
import type { RunAs } from './run-as.ts'
import { SetupProblem } from '../setup-problem.ts'

export type Tools = { binaries: Binaries; runAs: RunAs; durable: boolean; log: Log }

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
    const answering = found.state === 'running' ? await meet(found, place, attempt, tools) : null
    if (answering !== null) {
      if (answering.port !== kept.port) await writeCredentials(place.credentialsFile, answering)
      const how = attempt.launch === null ? 'adopted' : 'started'
      tools.log(`embedded postgres ${how}`, { port: answering.port, took_ms: Date.now() - startedAt })
      return answering
    }
    if (found.state !== 'running') await advance(found, place, attempt, tools)
    await sleep(POLL_MS)
  }
  throw new SetupProblem(
    `PostgreSQL in ${place.clusterDir} is not ready after ${START_TIMEOUT_MS / 1000} s; it may still be recovering: ` +
      `wait, start again, and look at ${place.clusterDir}/server.log`,
  )
}

async function meet(
  found: Extract<Found, { state: 'running' }>,
  place: Place,
  attempt: Attempt,
  tools: Tools,
): Promise<Credentials | null> {
  if (!found.isReady) return null
  const credentials = { ...attempt.credentials, port: found.port }
  return (await greet(credentials, place.clusterDir, tools.durable)) === 'ready' ? credentials : null
}

/** One step towards a running server, as long as none of this data directory is to be seen. */
async function advance(found: Found, place: Place, attempt: Attempt, tools: Tools): Promise<void> {
  if (attempt.launch !== null) {
    const end = await attempt.launch.ended()
    if (end === null) return
    if (!PASSING_ENDS.test(end))
      throw new SetupProblem(`PostgreSQL in ${place.clusterDir} does not start: ${end}`)
    if (PORT_TAKEN.test(end)) await moveToFreePort(attempt, tools.log)
    attempt.launch = null
    await sleep(RETRY_MS)
    return
  }
  attempt.unclearSince = found.state === 'unclear' ? (attempt.unclearSince ?? Date.now()) : null
  if (attempt.unclearSince !== null && Date.now() - attempt.unclearSince < UNCLEAR_PID_FILE_MS) return
  await removeMisleadingPidFile(place.clusterDir, tools.log)
  attempt.launch = await launchPostmaster({
    ...tools,
    clusterDir: place.clusterDir,
    port: attempt.credentials.port,
  })
}

async function moveToFreePort(attempt: Attempt, log: Log): Promise<void> {
  const from = attempt.credentials.port
  const port = await chooseFreePort()
  log('embedded postgres: its port is taken, moving to another', { from, to: port })
  attempt.credentials = { ...attempt.credentials, port }
}
