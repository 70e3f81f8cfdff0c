import { afterAll, describe, expect, test } from 'vitest'
import { newcomers, residents } from '#game-server/world.ts'
import { demoLogin } from '#seeds/players.ts'
import { startTestApp } from '#tests/support/app.ts'
import { startBrokenGame, type Mistake, startTestGame, type TestGame } from '#tests/support/game-server.ts'
import { rowOf, workOnce, buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { aPlayer } from '#tests/support/players.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { checkContract } from '../game-contract/game-contract.ts'

const secret = 'game-secret-of-the-tests'
const place = { secret, serverId: '1', account: 'hoangtuan' }

/** Mistaken games go on calling theirs for a moment. */
const games: TestGame[] = []
afterAll(async () => void (await Promise.all(games.map((game) => game.close()))))

/** With two characters of one account. */
async function openGame(): Promise<TestGame> {
  const game = await startTestGame({ secret })
  games.push(game)
  game.addCharacter({ id: 'c1', account: 'hoangtuan', name: 'kiemgia', level: 92 })
  game.addCharacter({ id: 'c2', account: 'hoangtuan', name: 'tansinh', level: 6 })
  return game
}

async function broken(url: string): Promise<string[]> {
  const outcomes = await checkContract({ url, ...place, collectMs: 1_000 })
  return outcomes.filter(({ outcome }) => outcome !== 'kept').map(({ rule, why }) => `${rule}: ${why}`)
}

// Each with a game of its own, at once: they mostly wait.
describe.concurrent('the contract, held against', () => {
  test('the reference game server: every rule holds, and can be observed', async () => {
    const game = await openGame()
    expect(await broken(game.url)).toEqual([])
  })

  const mistakes: [Mistake, RegExp][] = [
    ['applies repeats again', /^hands a delivery over once.*: .*(gained|status)/m],
    ['forgets cancellations', /^refuses for good what was cancelled.*: its status: answered "unknown"/m],
    [
      'forgets refusals',
      /^refuses a character it does not have.*: another character under the id it refused/m,
    ],
    [
      'claims to have applied what it refused',
      /^cancels what it refused.*: the cancellation: answered "applied"/m,
    ],
    ['lets anybody cancel', /^believes nobody who does not sign.*: an unsigned POST: HTTP 200/m],
    [
      'does not declare that it answers JSON',
      /^answers in the contract’s very words: .*content type is text\/plain/m,
    ],
    ['believes any signature', /^believes nobody who does not sign.*: no signature: HTTP 200/m],
    ['applies and never collects', /^collects what it applied.*: applied, and after 1 s neither collected/m],
    ['gives a claim twice', /^gives collected goods once.*: the character gained \d+ luong instead of 2/m],
    [
      'loses what is over the limit',
      /^refuses more than a character may hold.*: .* is then collected instead/m,
    ],
    [
      'gives more than a character may hold',
      /^refuses more than a character may hold.*: .* is then collected instead/m,
    ],
    ['takes a name for a pattern in its lists', /^answers an account nobody has.*: the list of hoangtua_: /m],
    [
      'takes a name for a pattern in its accounts',
      /^knows its own accounts.*: hoangtua_, which nobody has: /m,
    ],
    ['takes a name for a pattern in its deliveries', /^refuses a character.*: for the account hoangtua_: /m],
    ['has a row that cannot be read', /^gives lists whose every row.*: the characters, row 3: name: /m],
    ['fails a list as a whole', /^ranks by what a board counts.*: the game answered HTTP 500/m],
    ['does not say its limits', /^says what it has.*: .*max/m],
    ['has limits that cannot be read', /^says its limits.*: limits.name.letters: as in the brackets/m],
    [
      'says that it counts by account',
      /^says of its boards.*: counts.luong.of: account, and hoangtuan is ranked twice/m,
    ],
    [
      'says that it counts what waits',
      /^says of its boards.*: counts.luong.waiting: the ranking went from 0 to 0/m,
    ],
    ['names a head that it does not have', /^names heads that it has: head_names.99: Áo xanh is not/m],
    [
      'last collected in an hour to come',
      /^says what it has.*: the last sign of life of what collects is yet to come: 20/m,
    ],
    ['saw half a lock in an hour to come', /^says what it has.*: half_lock_seen_at is yet to come: 20/m],
    ['counts what it has no board of', /^says of its boards.*: counts.clan: there is no such board/m],
    [
      'ignores what it is told about accounts',
      /^stores what it is told.*: the stored version after \d+: answered (null|\d+) instead/m,
    ],
    [
      'takes older news about accounts',
      /^stores what it is told.*: the stored version after \d+: answered \d+/m,
    ],
    ['charges twice', /^takes a charge once.*: the character gained -\d+ luong instead of -3/m],
    ['says applied without charging', /^takes a charge once.*: the character gained 0 luong instead of -3/m],
    ['gives nothing back', /^gives a charge back once.*: the character gained -4 luong instead of 0/m],
    ['gives a charge back twice', /^gives a charge back once.*: the character gained 4 luong instead of 0/m],
    ['does not answer about accounts', /^says whether it keeps accounts: the game answered HTTP 404$/m],
    [
      'does not say that it shows notices',
      /^says that it shows notices exactly.*: PUT \/v1\/notices\/\{id\}: answered 200 instead of 404/m,
    ],
    [
      'says notices without having them',
      /^says that it shows notices exactly.*: answered 404 instead of 200/m,
    ],
    [
      'takes another notice under an id',
      /^stores a notice once.*: another notice under its id: answered 200/m,
    ],
    ['takes any notice', /^takes no notice that it cannot show.*: a notice with .*200/m],
    ['does not have charges', /^takes a charge once.*: not supported: the game does not have PUT/m],
  ]
  test.each(everyNth(mistakes, 6))('a game that %s: the rule is named', async (mistake, named) => {
    const game = await openGame()
    const wrong = await startBrokenGame(mistake, { url: game.url, secret })
    try {
      expect((await broken(wrong.url)).join('\n')).toMatch(named)
    } finally {
      await wrong.close()
    }
  })

  test('a game without such a character: the error lists those that exist', async () => {
    const game = await openGame()
    await expect(checkContract({ url: game.url, ...place, characterId: 'c9' })).rejects.toThrow(
      'has no such character; it has c1 (kiemgia), c2 (tansinh)',
    )
  })
})

test('a player who registers at a portal with the reference game finds characters there and buys for one', async () => {
  const demo = await startTestGame({ secret, newcomers })
  const environment = { GAME_SERVER_URL: demo.url, GAME_SERVER_SECRET: secret }
  const portal = await startTestApp({ environment })
  const player = await aPlayer(portal, { coins: 10_000, isActivated: true })
  const characters = await charactersOf(portal, player)
  expect(characters).toHaveLength(3)
  const id = await buyLuongFor(portal, { player, character: characters[0]! })
  expect(await workOnce(portal.deps)).toBe(1)
  expect((await rowOf(portal, id)).state).toBe('delivered')
  await portal.close()
  await demo.close()
})

test('the people of the demo live in the reference game', () => {
  const here = residents()
  const names = here.filter(({ account }) => account === demoLogin.username).map(({ name }) => name)
  expect(names).toContain('kiemgia')
  expect(new Set(here.map(({ id }) => id)).size).toBe(here.length)
})
