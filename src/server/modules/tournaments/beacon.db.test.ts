import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, describe, expect, test } from 'vitest'
import { QUICKNET } from '#contract/draw-proof.ts'
import { wireDeps } from '#server/app/deps.ts'
import { readConfig } from '#server/config/config.ts'
import { startTestApp, testBeacon } from '#tests/support/app.ts'
import { QUICKNET_ROUNDS } from '#tests/support/draws.ts'
import { openDrand } from './index.ts'
import { openReferee, someTeams } from './testing/referee.ts'

const [first, second] = QUICKNET_ROUNDS

/** A relay of the beacon that answers so; the paths that it was asked for. */
async function aRelay(answer: RequestListener): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const answering =
  (body: unknown, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

describe('the public beacon', () => {
  const portal = () => {
    const warnings: unknown[] = []
    const log = { warn: (...args: unknown[]) => warnings.push(args) }
    return { deps: { log, clock: { now: () => new Date() } } as never, warnings }
  }

  test('is read from the relay that answers rightly, whatever the others say', async () => {
    const relays = await Promise.all([
      aRelay(answering(second)),
      aRelay(answering({ ...first, signature: second.signature })),
      aRelay(answering('busy', 503)),
      aRelay((_, response) => void response.writeHead(302, { location: '/elsewhere' }).end()),
      aRelay((_, response) => void response.end('<html>')),
      aRelay(() => {}),
      aRelay(answering(first)),
    ])
    const beacon = openDrand(relays.map(({ origin }) => origin))
    expect(await beacon.read(first.round, portal().deps)).toBe(first.signature)
    expect(relays.at(-1)?.asked).toEqual([`/${QUICKNET.hash}/public/${first.round}`])
  })

  test('that nobody delivers is said to be missing', async () => {
    const relays = await Promise.all([aRelay(answering(second)), aRelay(answering({}, 404))])
    const { deps, warnings } = portal()
    expect(await openDrand(relays.map(({ origin }) => origin)).read(first.round, deps)).toBeNull()
    expect(warnings).toHaveLength(1)
  })
})

const configOf = (environment: Record<string, string>) =>
  readConfig({
    DATABASE_URL: 'postgres://portal:portal@127.0.0.1:1/portal',
    GAME_SERVER_URL: 'embedded',
    DEMO_BEACON_SECRET: 'a secret of a demo, left in the environment',
    ...environment,
  })

describe('the beacon of a demo', () => {
  test('is in a demo alone: outside of it the public one draws, whatever the environment has', async () => {
    const portal = await startTestApp()
    onTestFinished(() => portal.close())
    const chainOf = (environment: Record<string, string>) =>
      wireDeps({ config: configOf(environment), log: portal.deps.log, database: portal.deps }).beacon.chain
    expect(chainOf({ DEMO: '1' })).toMatchObject({ name: 'demo', margin: 0, period: 1 })
    expect(chainOf({ DEMO: '0' })).toEqual(QUICKNET)
  })

  test('signs no list that the public beacon has to draw', async () => {
    const portal = await startTestApp({ overrides: { beacon: { ...openDrand([]), read: async () => null } } })
    onTestFinished(() => portal.close())
    const referee = await openReferee(portal)
    const id = await referee.aTournament()
    await referee.addTeams(id, someTeams(2))
    await referee.act(id, '/close')
    const { draw_round } = await referee.read(id)
    expect((await portal.call('GET', `/api/tournaments/${id}/draw`)).body.beacon.chain).toEqual(QUICKNET)
    // The round's time is a minute away: the clock of the portal is set to it.
    portal.deps.clock = { now: () => new Date(Date.now() + 90_000) }
    const signature = testBeacon.chain && (await testBeacon.read(1, portal.deps))
    const beacon = JSON.stringify({ round: draw_round, signature })
    const answer = await referee.act(id, '/draw', { beacon })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['beacon']])
  })

  test('says nothing of a round before its time', async () => {
    const clock = { now: () => new Date() }
    const later =
      Math.ceil((Date.now() / 1_000 - testBeacon.chain.genesis_time) / testBeacon.chain.period) + 1_000
    expect(await testBeacon.read(later, { clock } as never)).toBeNull()
  })
})
