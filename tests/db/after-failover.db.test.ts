import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { printAfterFailover } from '#server/cli/after-failover.ts'
import { aNotification, deliver, openAccounts, payment } from '#tests/support/bank.ts'
import { GAME_SECRET } from '#tests/support/fixtures.ts'
import { startTestGame, type TestGame } from '#tests/support/game-server.ts'
import { VIETCOMBANK } from '#tests/support/payment-keys.ts'
import type { TestPlayer } from '#tests/support/players.ts'
import { aTransfer, startPollingApp, type PollingApp } from '#tests/support/polled-providers.ts'
import { charactersOf, exchange, makeDue, workOnce } from '#tests/support/purchases.ts'
import { runCommand } from '#tests/support/processes.ts'

let folder: string
let game: TestGame
let polling: PollingApp
let since: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'after-failover-'))
  game = await startTestGame({ secret: GAME_SECRET })
  polling = await startPollingApp(['sepay'], {
    environment: { GAME_SERVER_URL: game.url, GAME_SERVER_SECRET: GAME_SECRET },
  })
  await openAccounts(polling.test)
})
afterAll(async () => {
  await polling.close()
  await game.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  since = new Date(Date.now() - 1).toISOString()
})

type Bought = { player: TestPlayer; id: string }

/** A new player who registered, recharged by a notification and bought luong, which the game has. */
async function aCustomer(): Promise<Bought> {
  const { test: portal } = polling
  const { player, order } = await payment(portal)
  await deliver(portal, aNotification({ content: order.code }))
  const character = `c${randomUUID()}`
  game.addCharacter({ id: character, account: player.username, name: character.slice(0, 10) })
  await portal.db.deleteFrom('game_character_fetch').where('user_id', '=', player.id).execute()
  await charactersOf(portal, player)
  expect((await portal.call('POST', '/api/user/active', { token: player.token })).status).toBe(200)
  const bought = await exchange(portal, { player, character })
  expect(bought.status, JSON.stringify(bought.body)).toBe(200)
  await makeDue(portal)
  while ((await workOnce(portal.deps)) > 0) await makeDue(portal)
  return { player, id: (bought.body as { delivery: { id: string } }).delivery.id }
}

const written = async (name: string, lines: readonly object[] | string): Promise<string> => {
  const file = join(folder, name)
  await writeFile(
    file,
    typeof lines === 'string' ? lines : lines.map((line) => JSON.stringify(line)).join('\n'),
  )
  return file
}

async function check(files: { log?: string; record?: string } = {}) {
  const rest = ['--since', since, ...Object.entries(files).flatMap(([name, file]) => [`--${name}`, file])]
  const lines: string[] = []
  const { deps, appUrl } = polling.test
  const code = await printAfterFailover(deps, { appUrl, rest }, (line) => void lines.push(line))
  return { code, lines, last: lines.at(-1) ?? '' }
}

const applied = (id: string) => ({
  id,
  status: 'applied',
  account: 'nguoimat',
  character_id: 'c1',
  goods: [{ kind: 'luong', quantity: 3_300 }],
  at: new Date().toISOString(),
})

describe('after a failover', () => {
  test('a whole portal is clean, and what was not given is named', async () => {
    const { id } = await aCustomer()
    const log = await written('whole.log', polling.test.logged())
    const record = await written('whole.jsonl', [applied(id)])
    const clean = await check({ log, record })
    expect(clean, clean.lines.join('\n')).toMatchObject({
      code: 0,
      last: 'after-failover: nothing is missing',
    })
    // Registration, recharge, activation, hold and settlement.
    expect(clean.lines).toContain('0 of 5 movements and registrations in the log are not in the database')
    expect((await check()).last).toBe(
      'after-failover: nothing is missing; not compared: the game’s record (--record <file>), the portal’s log (--log <file>)',
    )
  })

  test('a log without one line of these proves nothing', async () => {
    const log = await written('empty.log', 'started\n')
    expect(await check({ log })).toMatchObject({ code: 1 })
  })

  test('a delivery that only the game has is named', async () => {
    const lost = randomUUID()
    const { code, lines, last } = await check({ record: await written('more.jsonl', [applied(lost)]) })
    expect([code, last]).toEqual([1, expect.stringContaining('what is missing: the game’s record')])
    expect(lines.find((line) => line.startsWith(lost))).toMatch(/not known here .* nguoimat {2}3300 luong/)
  })

  test('a delivery that the game does not know is named', async () => {
    const { id } = await aCustomer()
    await game.setBack((rows) => rows - 2)
    const { code, lines, last } = await check()
    expect([code, last]).toEqual([1, expect.stringContaining('what is missing: game;')])
    expect(lines.filter((line) => line.startsWith(id))).toHaveLength(1)
  })

  test('a transfer that only the provider’s list has is named, credited, and named to the next one too', async () => {
    const { order } = await payment(polling.test)
    const transfer = aTransfer(polling.bank, { account: VIETCOMBANK.number, memo: order.code })
    for (let round = 0; round < 2; round++) {
      const { code, lines, last } = await check()
      expect([code, last]).toEqual([1, expect.stringContaining('what is missing: providers’ lists')])
      expect(lines.filter((line) => line.includes(`  ${transfer.ref}  `))).toEqual([
        expect.stringMatching(/^sepay .* 50[.,]000 VND {2}applied$/),
      ])
    }
  })

  test('a movement and a registration of the log that the database does not have are named', async () => {
    const before = polling.test.logged().length
    await aCustomer()
    const whole = polling.test
      .logged()
      .slice(before)
      .split('\n')
      .flatMap((line) => (/"(ledger\.posted|registration\.succeeded)"/.test(line) ? JSON.parse(line) : []))
    const [first, ...others] = whole
    expect(first.event).toBe('registration.succeeded')
    const moved = others[0]
    const lost = [
      // Their numbers are those of others now, or nobody's.
      { ...first, time: new Date(Date.now() - 60_000).toISOString() },
      { ...first, userId: '999999999' },
      { ...moved, transferId: '999999999' },
      { ...moved, requestId: 'another-request' },
      { ...moved, amount: moved.amount + 1 },
    ]
    since = new Date(Date.now() - 3_600_000).toISOString()
    const log = await written('lost.log', [...whole, ...lost])
    const { code, lines } = await check({ log })
    expect(code).toBe(1)
    const named = lines.slice(lines.indexOf('— the portal’s log') + 1, -2)
    expect(named).toEqual([
      expect.stringContaining(`registration of account ${first.userId}`),
      expect.stringContaining('registration of account 999999999'),
      expect.stringContaining('movement 999999999  recharge  50'),
      expect.stringContaining(`movement ${moved.transferId}  recharge`),
      expect.stringContaining(`movement ${moved.transferId}  recharge`),
    ])
    expect(lines.at(-2)).toBe(
      `5 of ${whole.length + 5} movements and registrations in the log are not in the database`,
    )
  })

  test('as a command it asks for a moment', async () => {
    const { code, errors } = await runCommand(polling.test, ['after-failover'])
    expect([code, errors]).toEqual([2, expect.stringContaining('after-failover --since <moment>')])
  }, 60_000)
})
