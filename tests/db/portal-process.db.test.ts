import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compilePortal } from '#scripts/build.ts'
import { anAddress } from '#tests/support/players.ts'
import { useFolder } from '#tests/support/folder.ts'
import { freePort } from '#tests/support/network.ts'
import {
  spawnPortal,
  START_MS_MAX,
  startPortalProcess,
  type PortalProcess,
} from '#tests/support/processes.ts'
import { eventually } from '#tests/support/purchases.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { residentMb } from '../harness/resources.ts'
import { killPostgres } from '../harness/faults.ts'

/** What a supervisor waits for before it kills; the bound holds where no embedded PostgreSQL has to be stopped too. */
const STOP_MS_MAX = 10_000
/** 145 when it was measured. */
const REST_MB_MAX = 165

const dataDir = useFolder()
let portal: PortalProcess
let metricsPort: number
/** It waits beside the other tests. */
let stoppedWithoutCheckpoint: Promise<{ code: number | null; output: string; dataDir: string }>

beforeAll(async () => {
  metricsPort = await freePort()
  stoppedWithoutCheckpoint = stopWithoutCheckpoint()
  stoppedWithoutCheckpoint.catch(() => null)
  portal = await startPortalProcess({
    dataDir,
    environment: { DEMO: '1', TRUST_PROXY: '127.0.0.1', METRICS_PORT: String(metricsPort) },
  })
})
afterAll(() => portal.end())

/** Each call from elsewhere: one address may not call as often as these tests do. */
const status = async (path: string) =>
  fetch(portal.url + path, { headers: { 'x-forwarded-for': anAddress() } }).then(
    (answer) => answer.status,
    () => 0,
  )

async function waitFor(path: string, expected: number): Promise<void> {
  await eventually(async () => expect(await status(path)).toBe(expected), START_MS_MAX)
}

describe('the portal as a process', { timeout: 3 * START_MS_MAX }, () => {
  test('prints its address, the demo players and how to become an operator', async () => {
    // It answers a moment before it prints that: what it is connected to is examined first.
    await eventually(async () => expect(portal.output()).toContain('operator grant'), START_MS_MAX)
    expect(portal.output()).toContain(`${portal.url}/home`)
    expect(portal.output()).toContain('hoangtuan')
  })

  test('serves metrics on their own port, with what its worker reads, and not to players', async () => {
    const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    await eventually(async () => {
      const text = await scrape()
      expect(text).toContain('portal_alarm{name="ledger-broken"} 0')
      expect(text).toMatch(/^portal_circulation_tcoin [1-9]/m)
      expect(text).toContain('portal_delivery_breaker_open 0')
    }, START_MS_MAX)
    expect(await status('/metrics')).toBe(404)
  })

  test('answers a text message sent from the command line with a code that can be verified', async () => {
    const phone = '0987654321'
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['src/server/cli/cli.ts', 'sandbox', 'sms', phone, 'thn', 'otp'],
      {
        env: {
          ...process.env,
          DATABASE_URL: '',
          DEMO: '1',
          DATA_DIR: dataDir,
          PORT: new URL(portal.url).port,
        },
      },
    )
    const code = /ban la (\d{6}),/.exec(stdout)?.[1]
    const verified = await fetch(`${portal.url}/api/one-time-password/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ phone, code }),
    })
    expect(await verified.json()).toEqual({ verified: true })
    expect(portal.output()).not.toContain(code)
  })

  test('keeps running when its PostgreSQL is killed under load, and restarts it', async () => {
    const over = new AbortController()
    const load = Array.from({ length: 6 }, async () => {
      while (!over.signal.aborted) {
        await status('/api/posts')
        await sleep(20)
      }
    })
    for (let kill = 0; kill < 3; kill++) {
      await sleep(300)
      await killPostgres(dataDir)
      expect(await status('/healthz')).toBe(200)
      await waitFor('/readyz', 200)
    }
    over.abort()
    await Promise.all(load)
    await waitFor('/api/posts', 200)
  })

  test('refuses to be something other than what its database was made as', async () => {
    const started = startPortalProcess({
      dataDir,
      environment: { DEMO: '0', GAME_SERVER_URL: 'embedded', SEPAY_WEBHOOK_SECRET: 'long-enough-secret' },
    })
    await expect(started).rejects.toThrow(/made with DEMO=1/)
  })

  test('listens on loopback only in a demo, unless configured otherwise', async () => {
    const started = startPortalProcess({ dataDir, environment: { DEMO: '1', HOST: '0.0.0.0' } })
    await expect(started).rejects.toThrow(/DEMO_PUBLIC=1/)
  })

  test.runIf(hasAllCases)('finds its TypeScript compiled by the build at its first start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-compiled-'))
    const environment = { NODE_COMPILE_CACHE: join(folder, 'compiled') }
    try {
      compilePortal({ ...process.env, ...environment })
      const started = await startPortalProcess({
        dataDir: join(folder, 'data'),
        environment: { ...environment, DEMO: '1', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
      })
      await started.end()
      const looked = started.output().match(/\w+ transpile cache for StrippedTypeScript .*/g) ?? []
      expect(looked.length).toBeGreaterThan(100)
      expect(looked.filter((line) => line.startsWith('no'))).toEqual([])
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })

  test.runIf(hasAllCases)(
    'stopped while it starts, it finishes starting, ends, and leaves no PostgreSQL running',
    async () => {
      const other = await mkdtemp(join(tmpdir(), 'cong-ninja-process-'))
      const starting = spawnPortal({ dataDir: other, environment: { DEMO: '1' } })
      await eventually(
        async () => expect(starting.output()).toContain('embedded postgres started'),
        START_MS_MAX,
      )
      expect(await starting.end('SIGTERM'), starting.output()).toBe(0)
      await expect(killPostgres(other)).rejects.toThrow(/ENOENT/)
      await rm(other, { recursive: true, force: true })
    },
  )

  test.runIf(hasAllCases)('when npm is terminated, the portal and its PostgreSQL end too', async () => {
    const other = await mkdtemp(join(tmpdir(), 'cong-ninja-process-'))
    const PORT = String(await freePort())
    // A group of its own, as a service manager makes it; only its first process gets the signal.
    const npm = spawn('npm', ['start'], {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, DATABASE_URL: '', DEMO: '1', DATA_DIR: other, PORT },
    })
    const readyz = () =>
      fetch(`http://127.0.0.1:${PORT}/readyz`).then(
        ({ status }) => status,
        () => 0,
      )
    try {
      await eventually(async () => expect(await readyz()).toBe(200), START_MS_MAX)
      npm.kill('SIGTERM')
      await eventually(async () => {
        expect(await readyz()).toBe(0)
        await expect(readFile(join(other, 'postgres', 'postmaster.pid'))).rejects.toThrow(/ENOENT/)
      }, START_MS_MAX)
    } finally {
      endGroup(npm.pid as number)
    }
    await rm(other, { recursive: true, force: true, maxRetries: 5 })
  })

  test.runIf(hasAllCases)(
    'web and worker can run apart on one database, and each ends within 10 s of SIGTERM',
    async () => {
      const worker = await startWorker()
      const environment = { DEMO: '1', STOP_DELAY: '2' }
      const web = await startPortalProcess({ dataDir, environment, arguments: ['--web'] })
      // Others have left compiled what this one loads.
      expect(await residentMb(web)).toBeLessThan(REST_MB_MAX)
      for (const one of [web, worker]) {
        const signalledAt = performance.now()
        const ended = one.end('SIGTERM')
        if (one === web) await stillServesWhileItStops(web)
        expect(await ended, one.output()).toBe(0)
        expect(performance.now() - signalledAt).toBeLessThan(STOP_MS_MAX)
      }
    },
  )

  test('stops its PostgreSQL when it is stopped, however long that takes', async () => {
    const { code, output, dataDir: other } = await stoppedWithoutCheckpoint
    expect(code, output).toBe(0)
    expect(output).toContain('ending it without a checkpoint')
    await expect(killPostgres(other)).rejects.toThrow(/ENOENT/)
    await rm(other, { recursive: true, force: true })
  })
})

/** With STOP_DELAY: a load balancer sees at /readyz that it stops, and what is sent meanwhile is answered. */
async function stillServesWhileItStops({ url }: PortalProcess): Promise<void> {
  await eventually(async () => {
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'stopping' }])
  })
  expect((await fetch(`${url}/api/settings`)).status).toBe(200)
}

/** What is left of the group when the test failed. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGTERM')
  } catch {
    // Nothing is left.
  }
}

/** As on a disk that is far too busy: PostgreSQL cannot write the checkpoint of an orderly stop without this process. */
async function stopWithoutCheckpoint() {
  const other = await mkdtemp(join(tmpdir(), 'cong-ninja-process-'))
  const shortLived = await startPortalProcess({ dataDir: other, environment: { DEMO: '1' } })
  process.kill(await checkpointerOf(other), 'SIGSTOP')
  const code = await shortLived.end('SIGTERM')
  return { code, output: shortLived.output(), dataDir: other }
}

/** PostgreSQL names its processes in their command lines. */
async function checkpointerOf(portalDir: string): Promise<number> {
  const postmaster = (await readFile(join(portalDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(postmaster), '-f', 'checkpointer'])
  return Number(stdout)
}

/** A worker has no port to probe; it logs when it runs. */
async function startWorker(): Promise<PortalProcess> {
  const worker = spawnPortal({ dataDir, environment: { DEMO: '1' }, arguments: ['--worker'] })
  await eventually(
    async () => expect(worker.output()).toContain('The worker of Cổng Ninja runs.'),
    START_MS_MAX,
  )
  return worker
}
