import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { request, Agent } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { openVault } from '#server/platform/db/vault.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { runningBatch } from '#tests/support/gift-codes.ts'
import { useFolder } from '#tests/support/folder.ts'
import { anAddress, manyPlayers } from '#tests/support/players.ts'
import {
  childrenOf,
  isAlive,
  spawnPortal,
  START_MS_MAX,
  startPortalProcess,
  type PortalProcess,
} from '#tests/support/processes.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { freePort } from '#tests/support/network.ts'
import { eventually } from '#tests/support/purchases.ts'

const dataDir = useFolder()
let metricsPort: number
let portal: PortalProcess

const startTwo = () =>
  startPortalProcess({
    dataDir,
    environment: {
      DEMO: '1',
      PROCESSES: '2',
      TRUST_PROXY: '127.0.0.1',
      METRICS_PORT: String(metricsPort),
    },
  })

beforeAll(async () => {
  metricsPort = await freePort()
  portal = await startTwo()
}, START_MS_MAX)
afterAll(() => portal.end())

type Line = { process?: string; pid?: number; msg?: string; started?: string; migration?: string }

const lines = () =>
  portal
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)

/** The latest process of that name. */
const pidOf = (name: string) => lines().findLast(({ started }) => started === name)?.pid as number

/** Each on a connection of its own, so that they reach every process. */
function send(path: string, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const agent = new Agent()
    request(portal.url + path, { agent, headers: { 'x-forwarded-for': address } }, (answer) => {
      answer.resume()
      answer.once('end', () => {
        agent.destroy()
        resolve(answer.statusCode ?? 0)
      })
    })
      .once('error', reject)
      .end()
  })
}

async function sendOften(times: number, path: string, address: string): Promise<number[]> {
  const statuses: number[] = []
  let left = times
  const lane = async () => {
    while (left-- > 0) statuses.push(await send(path, address))
  }
  await Promise.all(Array.from({ length: 8 }, lane))
  return statuses
}

describe('a portal of several processes', { timeout: 3 * START_MS_MAX }, () => {
  test('is three: two that serve and one that works; the database is prepared once, the welcome is printed once', async () => {
    await eventually(async () => expect(portal.output()).toContain('operator grant'), START_MS_MAX)
    expect(portal.output().split('Cổng Ninja is open at')).toHaveLength(2)
    expect(await childrenOf(portal.pid)).toHaveLength(3)
    const migrations = lines().flatMap(({ migration }) => migration ?? [])
    expect(new Set(migrations).size).toBe(migrations.length)
    expect(new Set(lines().flatMap((line) => (line.migration ? [line.process] : [])))).toEqual(
      new Set(['worker']),
    )
  })

  test('all that serve get requests, and each log line names the process that wrote it', async () => {
    expect(new Set(await sendOften(20, '/api/posts', anAddress()))).toEqual(new Set([200]))
    await eventually(async () => {
      const requests = lines().filter(({ msg }) => msg === 'request')
      expect(new Set(requests.map((line) => line.process))).toEqual(new Set(['web1', 'web2']))
      expect(new Set(requests.map(({ pid }) => pid))).toEqual(new Set([pidOf('web1'), pidOf('web2')]))
    })
  })

  test('one client gets no more calls from all of them than from one', async () => {
    const statuses = await sendOften(1_400, '/api/posts', anAddress())
    const served = statuses.filter((status) => status === 200).length
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
    expect(served).toBe(1_200)
  })

  test('each has metrics of its own: the worker at METRICS_PORT, the others at those that follow', async () => {
    const texts = await Promise.all(
      [0, 1, 2].map(async (more) => (await fetch(`http://127.0.0.1:${metricsPort + more}/metrics`)).text()),
    )
    const hasServed = texts.map((text) => /^portal_request_duration_seconds_count.*api\/posts/m.test(text))
    expect(hasServed).toEqual([false, true, true])
    await eventually(async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      expect(text).toContain('portal_alarm{name="ledger-broken"} 0')
    }, START_MS_MAX)
  })

  test('one gift code that 64 players type at once is given exactly as often as it allows', async () => {
    const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
    const ownerUrl = embedded.url
    const db = openDatabase({ url: ownerUrl, log: openLog('fatal'), connectionsMax: 2 })
    try {
      const tokens = await manyPlayers({ ownerUrl }, 64)
      const { codes } = await runningBatch(
        { db, ownerUrl, deps: { vault: openVault(db) } },
        { usesPerCode: 10 },
      )
      const redeem = (token: string) =>
        fetch(`${portal.url}/api/gift-codes/redeem`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': anAddress(),
            authorization: `Bearer ${token}`,
          },
          body: JSON.stringify({ code: codes[0] }),
        })
      // A machine that is busy lets some come again; nothing was changed then.
      const insist = async (token: string) => {
        let answer = await redeem(token)
        while (answer.status === 503) answer = await redeem(token)
        return answer
      }
      const redeemed = await Promise.all(tokens.map(insist))
      const statuses = redeemed.map(({ status }) => status).toSorted()
      expect(statuses).toEqual([
        ...Array.from({ length: 10 }, () => 200),
        ...Array.from({ length: 54 }, () => 422),
      ])
      const balances = db.selectFrom('ledger_account').select('balance').where('balance', '=', '500')
      expect(await balances.where('kind', '=', 'user_wallet').execute()).toHaveLength(10)
    } finally {
      await db.destroy()
      await embedded.stop()
    }
  })

  test('one that is killed is started again, while the others serve', async () => {
    for (const name of ['web1', 'worker']) {
      const killed = pidOf(name)
      process.kill(killed, 'SIGKILL')
      await eventually(async () => expect(pidOf(name)).not.toBe(killed), START_MS_MAX)
      expect(new Set(await sendOften(6, '/healthz', anAddress()))).toEqual(new Set([200]))
    }
    await eventually(async () => expect(await childrenOf(portal.pid)).toHaveLength(3), START_MS_MAX)
  })

  test.runIf(hasAllCases)('all end with a primary that is killed, and the next start serves', async () => {
    const children = await childrenOf(portal.pid)
    await portal.end('SIGKILL')
    await eventually(async () => expect(children.filter(isAlive)).toEqual([]), START_MS_MAX)
    portal = await startTwo()
    expect(await send('/readyz', anAddress())).toBe(200)
  })

  test('a signal that reaches all of them, as from a terminal, is one orderly stop', async () => {
    const children = await childrenOf(portal.pid)
    for (const pid of children) process.kill(pid, 'SIGINT')
    expect(await portal.end('SIGINT')).toBe(0)
    expect(children.filter(isAlive)).toEqual([])
  })

  test.runIf(hasAllCases)(
    'a port that is taken ends the start with its sentence and leaves nothing behind',
    async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      const { port } = other.address() as AddressInfo
      const refused = spawnPortal({ dataDir, port, environment: { DEMO: '1', PROCESSES: '2' } })
      const children: number[] = []
      await eventually(async () => {
        children.push(...(await childrenOf(refused.pid)))
        expect(refused.hasEnded()).toBe(true)
      }, START_MS_MAX)
      other.close()
      expect(await refused.end()).toBe(1)
      expect(refused.output()).toContain(
        `Cổng Ninja cannot start: another program uses 127.0.0.1:${port}: end it, or choose another port with PORT=…\n`,
      )
      expect(children.length).toBeGreaterThan(0)
      expect(children.filter(isAlive)).toEqual([])
    },
  )
})
