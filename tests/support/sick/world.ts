import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '#server/config/config.ts'
import { diagnose } from '#server/health/checkup.ts'
import { appRoleOf, openAppRole } from '#server/platform/db/app-role.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { namesOfHosts } from '#server/platform/db/writable-client.ts'
import { wakeLoops } from '#server/platform/jobs/loop.ts'
import { metricsText } from '#server/platform/metrics/metrics.ts'
import { openLog } from '#server/platform/log/log.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { openPortalDatabase } from '#server/start/database.ts'
import { startPortal, type Portal } from '#server/start/portal.ts'
import { sentenceOf } from '#server/start/start-failure.ts'
import { useFolder } from '../folder.ts'
import { freePort } from '../network.ts'
import { emptyDatabase } from '../postgres.ts'
import { eventually } from '../purchases.ts'
import { alarmsOf, type Said } from './said.ts'

const WAIT_MS = 60_000
/** In which a loop that was woken has looked. */
const LOOK_MS = 100
/** The portal looks every five seconds, and at every third time at its rights. */
export const NOTICED_MS_MAX = 40_000

const log = openLog('silent')

type Environment = Record<string, string>

/** What doctor reports of that name. */
export async function diagnosedIn(environment: Environment, name: string): Promise<string> {
  const PORT = String(await freePort())
  const findings = await diagnose({ ...process.env, ...environment, PORT })
  const one = findings.find((finding) => finding.name === name)
  return `${one?.level} ${one?.text}`
}

/** The sentence of a start that fails; null for one that succeeds. */
export async function failureOfStartIn(environment: Environment): Promise<string | null> {
  try {
    const config = readConfig(environment)
    await (await openPortalDatabase(config, { log, clock: systemClock, isServing: true })).close()
    return null
  } catch (error) {
    return sentenceOf(error)
  }
}

/** The rules of deploy/alerts.yml about the database that fire, each with its label. */
async function ringing(): Promise<string[]> {
  const text = await metricsText()
  const labelled = [
    ...text.matchAll(/^portal_database_(refuses_changes|faults|away)(?:\{\w+="([^"]+)"\})? 1$/gm),
  ]
  const names: Record<string, string> = {
    refuses_changes: 'DatabaseRefusesChanges',
    faults: 'DatabaseFault',
    away: 'DatabaseAway',
  }
  return labelled.map(([, metric = '', label]) => [names[metric], label].filter(Boolean).join(' ')).toSorted()
}

const SHARED = 'DatabaseFault not-durable'
/** The loops that look at the database. */
const LOOKING = ['writes', 'database-faults']
/** So often something has to be true that was so before. */
const LOOKS = 5

/** A portal that runs in this process, and waits until it says so. */
export async function startReady(environment: Environment) {
  const PORT = String(await freePort())
  const portal: Portal = await startPortal(
    { ...environment, PORT, LOG_LEVEL: 'fatal' },
    { isWeb: true, isWorker: false },
    { withPages: false },
  )
  const url = `http://127.0.0.1:${PORT}`
  /** Looks anew. */
  const look = async () => {
    wakeLoops(LOOKING)
    await sleep(LOOK_MS)
    const answer = await fetch(`${url}/readyz`)
    return { status: answer.status, body: await answer.json() }
  }
  const becomes = (status: number, body: unknown) =>
    eventually(async () => expect(await look()).toEqual({ status, body }), NOTICED_MS_MAX)
  return {
    url,
    becomes,
    /** What `/readyz` answers and which alarms ring, then and as long as it is so. */
    async says(said: Said) {
      if (said.ready === null) return
      const expected = { status: said.ready.status === 'ok' ? 200 : 503, body: said.ready }
      // The server that all tests share is one that a crash may damage.
      const isSaid = (name: string) => name !== SHARED || said.fault === 'not-durable'
      const claim = async () =>
        expect([await look(), (await ringing()).filter(isSaid)]).toEqual([expected, alarmsOf(said)])
      await eventually(claim, NOTICED_MS_MAX)
      if (said.ready.status === 'ok') for (let count = 0; count < LOOKS; count++) await claim()
    },
    stop: () => portal.stop({ withDelay: false }),
  }
}

/** A database of its own, with an owner that is no superuser, which is made sick by the statements of a superuser. */
export function useSickDatabase() {
  const dataDir = useFolder()
  const database = {} as Awaited<ReturnType<typeof emptyDatabase>>
  /** What the texts of the set-ups call them. */
  const names: Record<string, string> = {}

  beforeAll(async () => {
    Object.assign(database, await emptyDatabase())
    const { ownerUrl } = database
    await migrateDatabase(ownerUrl, log)
    await openAppRole(ownerUrl, log)
    const { url } = await asOwner(ownerUrl, (client) => appRoleOf(client, ownerUrl))
    const { username, pathname } = new URL(ownerUrl)
    Object.assign(names, {
      '@db': pathname.slice(1),
      '@owner': username,
      '@portal': url.username,
      '@superuser': new URL(inject('postgres').adminUrl).username,
      '@server': namesOfHosts(ownerUrl),
    })
  }, WAIT_MS)
  afterAll(() => database.drop())

  const named = (text: string) => text.replaceAll(/@\w+/g, (name) => names[name] ?? name)
  const environment = (databaseUrl = database.ownerUrl): Environment => ({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    PUBLIC_URL: 'https://ninja.test',
  })
  return {
    named,
    environment,
    ownerUrl: () => database.ownerUrl,
    diagnosed: (name: string, databaseUrl?: string) => diagnosedIn(environment(databaseUrl), name),
    failureOfStart: (databaseUrl?: string) => failureOfStartIn(environment(databaseUrl)),
    /** Each statement by itself: in the portal's database, or, where that lets nobody in, beside it. */
    async superuser(statements: string, isBeside = false): Promise<void> {
      const url = new URL(inject('postgres').adminUrl)
      if (!isBeside) url.pathname = named('/@db')
      const client = new Client({ connectionString: url.href })
      await client.connect()
      try {
        await client.query('SET default_transaction_read_only = off')
        for (const statement of named(statements).split(/(?<!\\);\s*/))
          if (statement !== '') await client.query(statement.replaceAll('\\;', ';'))
      } finally {
        await client.end()
      }
    },
  }
}
