import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diagnose } from '#server/health/checkup.ts'
import { asRole } from '#tests/support/pgbouncer.ts'
import { useFolder } from '#tests/support/folder.ts'
import { START_MS_MAX, startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/purchases.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const isThere = hasAllCases && isSystemPostgresThere()
/** From the promotion to the first write, without a restart of the portal. */
const FOUND_MS_MAX = 10_000

const folder = useFolder()
let first: SystemPostgres
let second: SystemPostgres
let hanging: Server
let portal: PortalProcess | null = null
/** What connects to the host that hangs is never answered. */
const hung = new Set<Socket>()

beforeAll(async () => {
  if (!isThere) return
  first = await SystemPostgres.open(folder, 'first')
  second = await SystemPostgres.open(folder, 'second')
  await first.create()
  await second.follow(first)
  hanging = createServer((socket) => hung.add(socket)).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  portal = await startPortalProcess({
    dataDir: join(folder, 'portal'),
    environment: { DATABASE_URL: addressOf(), DEMO: '0', GAME_SERVER_URL: 'embedded' },
  })
}, 2 * START_MS_MAX)
afterAll(async () => {
  if (!isThere) return
  await portal?.end()
  for (const socket of hung) socket.destroy()
  hanging.close()
  for (const server of [first, second]) await server.stop()
}, START_MS_MAX)

/** The standby first, so that the order does not decide; the host that hangs is among them. */
function addressOf(): string {
  const { port } = hanging.address() as { port: number }
  const hosts = [second.port, port, first.port].map((each) => `127.0.0.1:${each}`).join()
  return `${first.ownerUrl.replace(/@[^/]*/, `@${hosts}`)}?target_session_attrs=read-write`
}

let registered = 0
/** The status of a call that writes: a new account. */
async function register(): Promise<number> {
  const name = `nhieumay${++registered}`
  const answer = await fetch(`${portal?.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: name,
      name,
      phone: `09${String(10_000_000 + registered)}`,
      password: 'mat-khau-dai-12',
    }),
    signal: AbortSignal.timeout(30_000),
  })
  return answer.status
}

const accountsAt = async (server: SystemPostgres) =>
  Number(
    (await asRole(server.adminUrl.replace(/postgres$/, 'portal'), 'SELECT count(*) FROM users'))[0]?.count,
  )

const listenersAt = async (server: SystemPostgres) =>
  (await asRole(server.adminUrl, `SELECT FROM pg_stat_activity WHERE application_name = 'cong-ninja listen'`))
    .length

describe.skipIf(!isThere)(
  'a DATABASE_URL with several hosts (skipped without PostgreSQL of the machine)',
  { timeout: 3 * START_MS_MAX },
  () => {
    test('the start migrates and writes at the one that takes writes, wherever it stands', async () => {
      expect(await register()).toBe(201)
      expect(await accountsAt(first)).toBe(1)
      expect(await listenersAt(first)).toBe(1)
      expect(await listenersAt(second)).toBe(0)
      await eventually(async () => expect(portal?.output()).toMatch(/^ +ok +clock /m))
      expect(portal?.output()).not.toMatch(/^ +error +(?!address)\S/m)
    })

    test('while none takes writes a call is refused within seconds, and the portal stays up', async () => {
      await first.kill()
      const startedAt = performance.now()
      expect(await register()).toBe(503)
      expect(performance.now() - startedAt).toBeLessThan(15_000)
      expect((await fetch(`${portal?.url}/healthz`)).status).toBe(200)
    })

    test('after a promotion writes, LISTEN and the command line find the new one without a restart', async () => {
      await second.promote()
      await asRole(second.adminUrl, `ALTER SYSTEM SET synchronous_standby_names = ''`)
      await asRole(second.adminUrl, 'SELECT pg_reload_conf()')
      const promotedAt = performance.now()
      await eventually(async () => expect(await register()).toBe(201), FOUND_MS_MAX)
      expect(performance.now() - promotedAt).toBeLessThan(FOUND_MS_MAX)
      await eventually(async () => expect(await listenersAt(second)).toBe(1), FOUND_MS_MAX)
      expect(await accountsAt(second)).toBeGreaterThan(1)
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['src/server/cli/cli.ts', 'operator', 'list'],
        {
          env: {
            ...process.env,
            DATABASE_URL: addressOf(),
            DATA_DIR: join(folder, 'portal'),
            DEMO: '0',
            GAME_SERVER_URL: 'embedded',
          },
        },
      )
      expect(stdout).toContain('nobody holds a role')
      const findings = await diagnose({
        ...process.env,
        DATABASE_URL: addressOf(),
        DATA_DIR: join(folder, 'portal'),
        DEMO: '0',
        GAME_SERVER_URL: 'embedded',
        PUBLIC_URL: 'https://ninja.test',
      })
      expect(
        findings.find(({ name }) => name === 'standby'),
        JSON.stringify(findings),
      ).toMatchObject({
        level: 'warning',
        text: expect.stringMatching(/^no commit waits for one, .* synchronous_mode_strict of Patroni/),
      })
    })

    test('the former one that comes back is never written to, whether it only reads or takes writes', async () => {
      await first.start()
      await asRole(first.adminUrl, `ALTER SYSTEM SET synchronous_standby_names = ''`)
      await asRole(first.adminUrl, 'SELECT pg_reload_conf()')
      const before = await accountsAt(first)
      // All connections are lost, so that each process searches again and finds two that take writes.
      await asRole(
        second.adminUrl,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'cong-ninja%'`,
      )
      await eventually(async () => expect(await register()).toBe(201), FOUND_MS_MAX)
      expect(await accountsAt(first)).toBe(before)
      expect(await listenersAt(first)).toBe(0)
    })

    test('a server that only reads from now on is left at once', async () => {
      const before = await accountsAt(second)
      await asRole(second.adminUrl, 'ALTER SYSTEM SET default_transaction_read_only = on')
      await asRole(second.adminUrl, 'SELECT pg_reload_conf()')
      await eventually(async () => expect(await register()).toBe(201), FOUND_MS_MAX)
      expect(await accountsAt(second)).toBe(before)
      expect(await accountsAt(first)).toBeGreaterThan(1)
    })
  },
)
