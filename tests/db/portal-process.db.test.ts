import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anAddress } from '#tests/support/addresses.ts'
import { spawnPortal, startPortalProcess, type PortalProcess } from '#tests/support/portal-process.ts'
import { killPostgres } from '../torture/kill.ts'

let dataDir: string
let portal: PortalProcess

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-process-'))
  portal = await startPortalProcess({ dataDir, environment: { DEMO: '1', TRUST_PROXY: '127.0.0.1' } })
})
afterAll(async () => {
  await portal.end()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

/** Each call from elsewhere: one address may not call as often as these tests do. */
const status = async (path: string) =>
  fetch(portal.url + path, { headers: { 'x-forwarded-for': anAddress() } }).then(
    (answer) => answer.status,
    () => 0,
  )

async function waitFor(path: string, wanted: number): Promise<void> {
  for (let left = 300; left > 0 && (await status(path)) !== wanted; left--) await sleep(100)
  expect(await status(path)).toBe(wanted)
}

describe('the portal as a process', { timeout: 60_000 }, () => {
  test('says where it is, who may try it and how to become an operator', () => {
    expect(portal.output()).toContain(`${portal.url}/home`)
    expect(portal.output()).toContain('hoangtuan')
    expect(portal.output()).toContain('operator grant')
  })

  test('hears a phone that the command line plays, and answers with a code that can be verified', async () => {
    const phone = '0987654321'
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['src/server/cli.ts', 'sandbox', 'sms', phone, 'thn', 'otp'],
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

  test('lives on while its PostgreSQL is killed under load, and brings it back', async () => {
    const over = new AbortController()
    const load = Array.from({ length: 6 }, async () => {
      while (!over.signal.aborted) if ((await status('/api/posts')) !== 200) await sleep(20)
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

  test('lists every problem of its environment at once', async () => {
    const started = startPortalProcess({
      dataDir,
      environment: { LOG_LEVEL: 'loud', TRUST_PROXY: 'everyone' },
    })
    await expect(started).rejects.toThrow(/TRUST_PROXY[^]*LOG_LEVEL|LOG_LEVEL[^]*TRUST_PROXY/)
  })

  test('does not listen for strangers in a demo, unless told to', async () => {
    const started = startPortalProcess({ dataDir, environment: { DEMO: '1', HOST: '0.0.0.0' } })
    await expect(started).rejects.toThrow(/DEMO_PUBLIC=1/)
  })

  test('ends within 10 s of SIGTERM and takes its PostgreSQL along', async () => {
    const other = await mkdtemp(join(tmpdir(), 'cong-ninja-process-'))
    const shortLived = await startPortalProcess({ dataDir: other, environment: { DEMO: '1' } })
    const began = performance.now()
    expect(await shortLived.end('SIGTERM')).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
    await expect(killPostgres(other)).rejects.toThrow(/ENOENT/)
    await rm(other, { recursive: true, force: true })
  })

  test('asked to end while it starts, it starts, ends, and leaves no PostgreSQL behind', async () => {
    const other = await mkdtemp(join(tmpdir(), 'cong-ninja-process-'))
    const starting = spawnPortal({ dataDir: other, environment: { DEMO: '1' } })
    for (let left = 300; left > 0 && !starting.output().includes('embedded postgres started'); left--)
      await sleep(20)
    expect(await starting.end('SIGTERM')).toBe(0)
    await expect(killPostgres(other)).rejects.toThrow(/ENOENT/)
    await rm(other, { recursive: true, force: true })
  })

  test('web and worker can run apart on one database', async () => {
    const worker = await startWorker()
    expect(await worker.end('SIGTERM')).toBe(0)
  })
})

/** A worker has no port to ask; it says when it runs. */
async function startWorker(): Promise<PortalProcess> {
  const worker = spawnPortal({ dataDir, environment: { DEMO: '1' }, arguments: ['--worker'] })
  for (let left = 300; left > 0 && !worker.output().includes('worker of'); left--) await sleep(100)
  expect(worker.output()).toContain('The worker of Cổng Ninja runs.')
  return worker
}
