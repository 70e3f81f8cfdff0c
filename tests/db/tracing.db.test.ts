import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openSmtpMailer } from '#server/modules/mail/index.ts'
import { startDeliveryWorker } from '#server/modules/purchases/index.ts'
import { startLoop } from '#server/platform/jobs/loop.ts'
import { startTracing } from '#server/platform/tracing/environment.ts'
import { tracedWork } from '#server/platform/tracing/tracing.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { startCollector, type Collector, type ReceivedSpan } from '#tests/support/collector.ts'
import { startTestGame, type TestGame } from '#tests/support/game-server.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { aPlayer } from '#tests/support/players.ts'
import { START_MS_MAX, startPortalProcess } from '#tests/support/processes.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { eventually, exchange } from '#tests/support/purchases.ts'

const SECRET = 'game-secret-of-the-tests'
const SERVER = 2
const CLIENT = 3

let collector: Collector
let game: TestGame
let portal: TestApp
let endTraces: () => Promise<void>
beforeAll(async () => {
  collector = await startCollector()
  game = await startTestGame({ secret: SECRET })
  portal = await startTestApp({
    environment: {
      GAME_SERVER_URL: game.url,
      GAME_SERVER_SECRET: SECRET,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a-token, x-tenant=ninja',
      OTEL_SERVICE_NAME: 'ninja-of-the-tests',
    },
  })
  await trace()
})
afterAll(async () => {
  await endTraces()
  await portal.close()
  await game.close()
  await collector.close()
})

const trace = async () => {
  endTraces = await startTracing(portal.deps.config.tracing, portal.deps.log)
}

/** The first of the spans that fit, without the wait for a batch to be full. */
async function arrived(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
  await eventually(async () => {
    await endTraces()
    await trace()
    expect(collector.spans.some(fits)).toBe(true)
  })
  return collector.spans.find(fits) as ReceivedSpan
}

const traceOf = ({ traceId }: ReceivedSpan) => collector.spans.filter((span) => span.traceId === traceId)
const childrenOf = ({ spanId }: ReceivedSpan) => collector.spans.filter((span) => span.parentId === spanId)
const logged = (text: string) =>
  portal
    .logged()
    .split('\n')
    .filter((line) => line.includes(text))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

let made = 0
async function aBuyer() {
  const player = await aPlayer(portal, { coins: 20_000, isActivated: true })
  const character = `t${++made}`
  game.addCharacter({ id: character, account: player.username, name: `nhanvat${made}` })
  await portal.db.deleteFrom('game_character_fetch').where('user_id', '=', player.id).execute()
  await portal.call('GET', '/api/exchange', { token: player.token })
  return { player, character }
}

describe('the trace of a purchase', () => {
  test('has its request, its statements to COMMIT, and the ids of its log lines', async () => {
    const bought = await exchange(portal, await aBuyer())
    const requestId = String(bought.headers['x-request-id'])
    const request = await arrived(({ attributes }) => attributes['portal.request_id'] === requestId)
    expect(request).toMatchObject({
      name: 'POST /api/exchange/store',
      kind: SERVER,
      parentId: null,
      isError: false,
      service: 'ninja-of-the-tests',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/exchange/store',
        'http.response.status_code': 200,
      },
    })
    const statements = childrenOf(request)
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['BEGIN', 'SELECT', 'INSERT', 'COMMIT']),
    )
    for (const { kind, attributes, ms } of statements) {
      expect(kind).toBe(CLIENT)
      expect(attributes['db.system.name']).toBe('postgresql')
      expect(ms).toBeLessThan(request.ms)
    }
    const lines = logged(requestId)
    expect(lines.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['TCoin moved', 'request']))
    for (const line of lines) expect(line['trace_id']).toBe(request.traceId)
    expect(lines.find(({ msg }) => msg === 'request')?.['span_id']).toBe(request.spanId)
  })

  test('goes on when it is delivered: the calls to the game, the statements, the ids of the settled transfer', async () => {
    const bought = await exchange(portal, await aBuyer())
    const { id } = (bought.body as { delivery: { id: string } }).delivery
    const loops = startDeliveryWorker(portal.deps)
    await eventually(() => Promise.resolve(expect(logged(id).at(-1)?.['event']).toBe('delivery.settled')))
    await Promise.all(loops.map((loop) => loop.stop()))
    const traceId = logged(id).at(-1)?.['trace_id']
    const root = await arrived((span) => span.traceId === traceId && span.parentId === null)
    expect(root.name).toBe('send deliveries')
    const put = childrenOf(root).find(({ name }) => name === 'PUT 127.0.0.1')
    expect(put).toMatchObject({
      kind: CLIENT,
      isError: false,
      attributes: {
        'http.request.method': 'PUT',
        'server.address': '127.0.0.1',
        'server.port': Number(new URL(game.url).port),
        'http.response.status_code': 200,
      },
    })
    expect(childrenOf(root).map(({ name }) => name)).toContain('COMMIT')
    expect(logged(id).find(({ kind }) => kind === 'exchange_settle')?.['trace_id']).toBe(traceId)
  })

  test('names nobody and nothing that was typed', async () => {
    const { player, character } = await aBuyer()
    await portal.call('GET', `/api/user/search?query=${player.username}`, { token: player.token })
    const wrong = 'khong-phai-mat-khau'
    await portal.call('POST', '/api/auth/login', {
      body: { username: player.username, password: wrong },
      from: '113.161.7.8',
      headers: { 'user-agent': 'a-browser-of-the-tests' },
    })
    const last = await portal.call('GET', `/api/exchange?of=${character}`, { token: player.token })
    await arrived(({ attributes }) => attributes['portal.request_id'] === last.headers['x-request-id'])
    const text = collector.text()
    expect(text).toContain('/api/auth/login')
    expect(collector.spans.flatMap(({ attributes }) => Object.values(attributes))).not.toContain(player.id)
    for (const secret of [
      player.username,
      player.token,
      wrong,
      '113.161.7.8',
      'a-browser-of',
      `of=${character}`,
    ])
      expect(text, secret).not.toContain(secret)
  })
})

describe('the trace of another program', () => {
  const theirs = (n: number) => `4bf92f3577b34da6a3ce929d0e0e47${String(n).padStart(2, '0')}`
  const send = async (traceparent: string, from?: string) => {
    const answer = await portal.call('GET', '/api/settings', {
      headers: { traceparent },
      ...(from === undefined ? {} : { from }),
    })
    return String(answer.headers['x-request-id'])
  }
  const requestOf = (id: string) => arrived(({ attributes }) => attributes['portal.request_id'] === id)

  test('is gone on with when a proxy of TRUST_PROXY passes it on, and by nobody else', async () => {
    const trusted = await requestOf(await send(`00-${theirs(1)}-00f067aa0ba902b7-01`, '113.161.7.9'))
    expect(trusted).toMatchObject({ traceId: theirs(1), parentId: '00f067aa0ba902b7' })
    const stranger = await requestOf(await send(`00-${theirs(2)}-00f067aa0ba902b7-01`))
    expect(stranger.traceId).not.toBe(theirs(2))
    expect(stranger.parentId).toBeNull()
    const broken = await requestOf(await send('00-none-of-this-01', '113.161.7.9'))
    expect(broken.parentId).toBeNull()
  })

  test('that is not recorded there is not recorded here', async () => {
    const id = await send(`00-${theirs(3)}-00f067aa0ba902b7-00`, '113.161.7.9')
    await requestOf(await send('', '113.161.7.9'))
    expect(collector.spans.filter(({ traceId }) => traceId === theirs(3))).toEqual([])
    for (const line of logged(id)) expect(line).not.toHaveProperty('trace_id')
  })
})

describe('a job', () => {
  test('leaves a trace when it finds something to do, not when there is none', async () => {
    const found = [false, false, true, false]
    let rounds = 0
    const loop = startLoop({
      name: 'a job of the tests',
      pauseMs: 1,
      log: portal.deps.log,
      async round() {
        await sql`SELECT ${rounds}::integer AS round_of_the_tests`.execute(portal.db)
        return found[rounds++] ?? false
      },
    })
    await eventually(() => Promise.resolve(expect(rounds).toBeGreaterThan(found.length)))
    await loop.stop()
    const span = await arrived(({ name }) => name === 'job a job of the tests')
    expect(collector.spans.filter(({ name }) => name === span.name)).toHaveLength(1)
    expect(
      traceOf(span)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['SELECT', 'job a job of the tests'])
    expect(collector.text().split('round_of_the_tests')).toHaveLength(2)
  })

  test('that fails names the kind of error, without its message', async () => {
    await tracedWork('fails', () => sql`SELECT ${'mot-dieu-bi-mat'}::text::integer`.execute(portal.db)).catch(
      () => {},
    )
    const root = await arrived(({ name }) => name === 'fails')
    const [statement] = childrenOf(root)
    for (const span of [root, statement])
      expect(span).toMatchObject({ isError: true, attributes: { 'error.type': '22P02' } })
    expect(collector.text()).not.toContain('mot-dieu-bi-mat')
  })

  test('that sends a mail has the call to the mail server', async () => {
    const server = await startMailServer()
    const { hostname: host, port } = new URL(server.url)
    const mailer = openSmtpMailer({ host, port: Number(port), isSecure: false, login: null })
    await tracedWork('sends a mail', () =>
      mailer.send({
        id: '1',
        kind: 'test',
        messageId: '<1@ninja.test>',
        date: new Date(),
        from: { name: 'Cổng', address: 'portal@ninja.test' },
        to: 'nguoi-nhan@ninja.test',
        subject: 'Thư',
        text: 'Thư',
        html: '<p>Thư</p>',
      } as Parameters<typeof mailer.send>[0]),
    ).finally(() => server.close())
    const root = await arrived(({ name }) => name === 'sends a mail')
    expect(childrenOf(root)).toEqual([
      expect.objectContaining({
        name: `SMTP ${host}`,
        kind: CLIENT,
        attributes: { 'server.address': host, 'server.port': Number(port) },
      }),
    ])
    expect(collector.text()).not.toContain('nguoi-nhan')
  })
})

test('traces are sent to the collector’s path for traces, with the headers that were given', () => {
  expect(collector.headers.length).toBeGreaterThan(0)
  for (const headers of collector.headers)
    expect(headers).toMatchObject({
      path: '/v1/traces',
      authorization: 'Bearer a-token',
      'x-tenant': 'ninja',
      'content-type': 'application/x-protobuf',
    })
})

/**
 * Prints on stderr each module of OpenTelemetry that the process loads. Its package of interfaces is none: prom-client
 * loads that for itself, and it does nothing alone.
 */
const REPORT = `import{registerHooks}from"node:module";registerHooks({load(url,context,next){if(/@opentelemetry.(?!api.)/.test(url))process.stderr.write("LOADED "+url+"\\n");return(next(url,context))}})`

describe('a process', { timeout: 3 * START_MS_MAX }, () => {
  const folders: string[] = []
  afterEach(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

  async function started(environment: Record<string, string>) {
    const database = await freshDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-tracing-'))
    folders.push(dataDir)
    const portal = await startPortalProcess({
      dataDir,
      environment: {
        DATABASE_URL: database.ownerUrl,
        DEMO: '1',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(REPORT)}`,
        ...environment,
      },
    })
    return {
      ...portal,
      loaded: () =>
        portal
          .output()
          .split('\n')
          .filter((line) => line.startsWith('LOADED ')),
      async close() {
        expect(await portal.end(), portal.output()).toBe(0)
        await database.drop()
      },
    }
  }

  test.runIf(hasAllCases)(
    'without a collector loads nothing of OpenTelemetry, and no line of it has a trace',
    async () => {
      const portal = await started({ OTEL_SERVICE_NAME: 'ninja' })
      expect((await fetch(`${portal.url}/home`)).status).toBe(200)
      await portal.close()
      expect(portal.output()).toContain('"route"')
      expect(portal.output()).not.toContain('trace_id')
      expect(portal.loaded()).toEqual([])
    },
  )

  test.runIf(hasAllCases)(
    'with one loads it, sends the page with the calls that it is made of, and the rest before it ends',
    async () => {
      const portal = await started({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
      expect((await fetch(`${portal.url}/home`)).status).toBe(200)
      await portal.close()
      expect(portal.loaded().length).toBeGreaterThan(10)
      const page = await arrived(({ name, service }) => service === 'cong-ninja' && name === 'GET /*')
      expect(childrenOf(page).map(({ name }) => name)).toEqual(expect.arrayContaining(['GET /api/settings']))
      // Settings may have been read before, by the jobs.
      const queries = childrenOf(page).flatMap((call) => childrenOf(call))
      expect(queries.map(({ name }) => name)).toContain('SELECT')
    },
  )
})
