import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openHttpGame, type GameBridge } from '#server/modules/game-bridge/index.ts'
import { startTestGame, type TestGame } from '#tests/support/game-server.ts'
import { checkGame } from './game-check.ts'

const SECRET = 'game-secret-of-the-tests'
const ACCOUNT = 'hoangtuan'

let server: TestGame
let game: GameBridge
beforeAll(async () => {
  server = await startTestGame({ secret: SECRET })
  server.addCharacter({ id: 'c1', account: ACCOUNT, name: 'kiemgia' })
  game = openHttpGame({ url: server.url, secret: SECRET })
})
afterAll(() => server.close())
beforeEach(() => server.collect({ isOn: true, offline: [], reason: null }))

async function check(change: { game?: GameBridge; account?: string } = {}) {
  const lines: string[] = []
  const code = await checkGame({
    game,
    account: ACCOUNT,
    serverIds: ['1'],
    print: (line) => void lines.push(line),
    waitMs: 100,
    pauseMs: 5,
    ...change,
  })
  return { code, steps: lines.map((line) => line.split(' ')[0]), last: lines.at(-1) ?? '' }
}

test('one yen goes the whole way to the first character, with a line for each step', async () => {
  expect(await check()).toMatchObject({ code: 0, steps: ['connected', 'listed', 'applied', 'collected'] })
  expect(server.find('c1')?.yen).toBe(1)
})

test('a game without what is optional is checked too, up to where nothing tells of collecting', async () => {
  const silent = { ...game, describeGame: async () => null, collection: async () => null }
  const { code, steps, last } = await check({ game: silent })
  expect([code, steps]).toEqual([1, ['connected', 'listed', 'applied', 'failed']])
  expect(last).toContain('collected_at and waiting')
})

test.each([
  [{ isOn: false }, [], 'nothing collects it'],
  [{ reason: 'bag-full' as const }, ['waiting'], 'the bag of the character is full'],
  [{ offline: ['c1'] }, ['waiting'], 'log in with it, and run the check again'],
])('goods that are not collected: %j', async (settings, waiting, sentence) => {
  server.collect(settings)
  const { code, steps, last } = await check()
  expect(code).toBe(1)
  expect(steps).toEqual(['connected', 'listed', 'applied', ...waiting, 'failed'])
  expect(last).toContain(sentence)
})

test('who logs in while the check waits gets the yen in the same check', async () => {
  server.collect({ offline: ['c1'] })
  const lines: string[] = []
  const print = (line: string) => {
    lines.push(line)
    if (line.startsWith('waiting')) server.collect({ offline: [] })
  }
  expect(
    await checkGame({ game, account: ACCOUNT, serverIds: ['1'], print, waitMs: 10_000, pauseMs: 5 }),
  ).toBe(0)
  expect(lines.at(-2)).toBe('waiting   the character is offline: log in with it; tried for 10 s')
  expect(lines.at(-1)).toContain('collected')
})

test('says what to do when there is no game, none that answers, a wrong secret, and no character', async () => {
  const { describeGame: _none, ...embedded } = game
  expect((await check({ game: embedded })).last).toContain('set GAME_SERVER_URL')
  const away = openHttpGame({ url: 'http://127.0.0.1:1', secret: SECRET })
  expect((await check({ game: away })).last).toContain('start it, or correct GAME_SERVER_URL')
  const stranger = openHttpGame({ url: server.url, secret: 'another-secret-of-tests' })
  expect((await check({ game: stranger })).last).toContain('HTTP 401')
  expect((await check({ account: 'khongcoai' })).last).toContain('lists no character of khongcoai')
})

test.each([
  [{ kind: 'refused', reason: 'no-such-character' }, 'refused one yen (no-such-character)'],
  [{ kind: 'conflict' }, '409'],
  [{ kind: 'unknown', cause: 'HTTP 500' }, 'HTTP 500'],
  [{ kind: 'not-received', cause: 'ECONNREFUSED' }, 'ECONNREFUSED'],
] as const)('a delivery that is answered %j ends the check', async (outcome, sentence) => {
  const { code, last } = await check({ game: { ...game, deliver: async () => outcome } })
  expect(code).toBe(1)
  expect(last).toContain(sentence)
})
