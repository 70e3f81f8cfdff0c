import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openGameBridge, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { json, oddAnswers } from '#tests/support/odd-answers.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPhone } from '#tests/support/phones.ts'
import { activatePlayer, anAddress, aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { lastTrailRow } from '#tests/support/trail-rows.ts'
import { askWhetherAccountsAreKept, startGameAccountJobs } from './index.ts'

const SECRET = 'game-secret-of-the-tests'
/** Waiting for a game that never answers takes no longer. */
const CALL_TIMEOUT_MS = 300
const PLAYER_OF_THE_GAME = 'kiemkhach'

/** What stands at GAME_SERVER_URL, and can be anything. */
let answering: RequestListener
let server: Server
let portal: TestApp
let owner: TestPlayer
const stored: string[] = []

/** A game that keeps accounts, as the contract has it. */
const keepsAccounts: RequestListener = (request, response) => {
  if (request.method === 'PUT') {
    stored.push(decodeURIComponent((request.url ?? '').split('/').at(-1) ?? ''))
    return json(response, 200, { status: 'stored' })
  }
  const isKnown = request.url === `/v1/accounts/${PLAYER_OF_THE_GAME}`
  json(response, 200, { status: isKnown ? 'known' : 'unknown', version: null })
}

const keepsNone: RequestListener = (_request, response) => json(response, 200, { status: 'not-kept' })

const says =
  (body: unknown): RequestListener =>
  (_request, response) =>
    json(response, 200, body)

const ODD: [name: string, RequestListener][] = [
  ...oddAnswers({ status: 'not-kept' }),
  ['200 with []', says([])],
  ['another program’s “unknown”', says({ status: 'unknown' })],
  ['a version that is none', says({ status: 'unknown', version: 'x' })],
]

let game: GameBridge

beforeAll(async () => {
  answering = keepsAccounts
  server = createServer((request, response) => answering(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  game = openGameBridge({
    db: undefined as never,
    log: undefined as never,
    http: { url, secret: SECRET, callTimeoutMs: CALL_TIMEOUT_MS },
  })
  portal = await startTestApp({ overrides: { game } })
  owner = await anOperator(portal, 'owner')
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await portal.close()
})

const aName = () => `moi${randomUUID().slice(0, 8)}`

const register = (username: string, from = '203.0.113.7') =>
  portal.call('POST', '/api/auth/register', {
    body: { username, password: 'mat-khau-12', phone: aPhone(), name: username },
    from,
  })

const ask = () => askWhetherAccountsAreKept({ ...portal.deps, game })

const state = () =>
  portal.db
    .selectFrom('game_accounts')
    .select(['are_kept as areKept', 'failing_since as failingSince'])
    .executeTakeFirstOrThrow()

async function alarms(): Promise<string[]> {
  const { body } = await portal.call('GET', '/api/operator/alarms', { token: owner.token })
  return (body as { name: string }[]).map(({ name }) => name)
}

const isWaiting = async ({ id }: TestPlayer) =>
  (await portal.db
    .selectFrom('account_change')
    .select('user_id')
    .where('user_id', '=', id)
    .where('next_attempt_at', 'is not', null)
    .executeTakeFirst()) !== undefined

/** The jobs of a worker until the expectation holds. */
async function whileSending(expectation: () => Promise<void> | void): Promise<void> {
  const jobs = startGameAccountJobs({ ...portal.deps, game })
  try {
    await vi.waitFor(expectation, { timeout: 8_000 })
  } finally {
    await Promise.all(jobs.map((job) => job.stop()))
  }
}

const age = () =>
  portal.db
    .updateTable('account_change')
    .set({ changed_at: new Date(Date.now() - 180_000), next_attempt_at: new Date() })
    .where('next_attempt_at', 'is not', null)
    .execute()

/** From one address, as behind a carrier: what the game's silence refuses counts for nobody. */
async function expectClosedDoor(areKept: boolean | null): Promise<void> {
  const names = [PLAYER_OF_THE_GAME, 'KiemKhach', aName()]
  for (const { status, body, headers } of await Promise.all(names.map((name) => register(name)))) {
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE'])
    expect(body.message).toContain('Máy chủ game')
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
  expect(await state()).toEqual({ areKept, failingSince: expect.any(Date) })
  expect(await alarms()).toContain('game-accounts-unknown')
}

async function forgetTheGame(): Promise<void> {
  await portal.db
    .updateTable('game_accounts')
    .set({ are_kept: null, asked_at: null, kept_at: null, failing_since: null, failure: null })
    .execute()
}

describe.each(everyNth(ODD, 4))('whatever answers at the address of the game with %s', (_name, odd) => {
  test('before the game was ever heard: no name can be registered, and what waits is sent later', async () => {
    answering = keepsAccounts
    const player = await aPlayer(portal)
    await forgetTheGame()
    answering = odd
    await activatePlayer(portal, player)
    await age()
    await expectClosedDoor(null)
    await ask()
    expect(await state()).toMatchObject({ areKept: null })
    expect(await alarms()).toContain('unsent-account-changes')
    expect(await isWaiting(player)).toBe(true)
    answering = keepsAccounts
    await age()
    await whileSending(async () => expect(await isWaiting(player)).toBe(false))
    expect(stored).toContain(player.username.toLowerCase())
    expect(await alarms()).not.toContain('game-accounts-unknown')
  })

  test('after it: what was known stays known, and nothing that waits is lost', async () => {
    answering = keepsAccounts
    const player = await aPlayer(portal)
    await activatePlayer(portal, player)
    answering = odd
    await age()
    const jobs = startGameAccountJobs({ ...portal.deps, game })
    try {
      await vi.waitFor(async () => expect((await state()).failingSince).not.toBeNull(), { timeout: 8_000 })
      await expectClosedDoor(true)
      expect(await alarms()).toContain('unsent-account-changes')
      expect(await isWaiting(player)).toBe(true)
    } finally {
      await Promise.all(jobs.map((job) => job.stop()))
    }
    answering = keepsAccounts
    expect(await ask()).toEqual({ areKept: true })
    await age()
    await whileSending(async () => expect(await isWaiting(player)).toBe(false))
    expect((await register(PLAYER_OF_THE_GAME, anAddress())).body.code).toBe('USERNAME_TAKEN')
    expect((await register(aName(), anAddress())).status).toBe(201)
  })
})

describe('a game that says in the words of the contract that it keeps no accounts', () => {
  test('lets every name be registered; when it kept them before, that stands in the trail, and what waits rings', async () => {
    answering = keepsAccounts
    await ask()
    const player = await aPlayer(portal)
    answering = keepsNone
    expect(await ask()).toEqual({ areKept: false })
    expect((await register(aName(), anAddress())).status).toBe(201)
    const trail = () => lastTrailRow(portal, { action: 'game-accounts.change', id: 'game' })
    expect(await trail()).toMatchObject({ details: { before: true, after: false } })
    await activatePlayer(portal, player)
    await age()
    await whileSending(() => {})
    expect(await isWaiting(player)).toBe(true)
    expect(await alarms()).toEqual(expect.arrayContaining(['unsent-account-changes']))
    answering = keepsAccounts
    expect(await ask()).toEqual({ areKept: true })
    expect(await trail()).toMatchObject({ details: { before: false, after: true } })
    await whileSending(async () => expect(await isWaiting(player)).toBe(false))
  })

  test('is the usual one when it never kept any: nothing rings, and nothing is sent', async () => {
    await forgetTheGame()
    answering = keepsNone
    expect(await ask()).toEqual({ areKept: false })
    const player = await aPlayer(portal)
    await activatePlayer(portal, player)
    await age()
    await whileSending(() => {})
    expect(await isWaiting(player)).toBe(true)
    expect(await alarms()).not.toEqual(expect.arrayContaining(['unsent-account-changes']))
    expect(await alarms()).not.toContain('game-accounts-unknown')
  })
})
