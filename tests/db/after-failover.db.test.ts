import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { printAfterFailover } from '#server/cli/after-failover.ts'
import { UsageError } from '#server/cli/with-portal.ts'
import { pullLists } from '#server/modules/reconciliation/index.ts'
import { aNotification, deliver, openAccounts, payment } from '#tests/support/bank.ts'
import { GAME_SECRET } from '#tests/support/fixtures.ts'
import { startTestGame, type TestGame } from '#tests/support/game-server.ts'
import { VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { aTransfer, startPollingApp, type PollingApp } from '#tests/support/polled-providers.ts'
import { charactersOf, eventually, exchange, makeDue, workOnce } from '#tests/support/purchases.ts'
import { notificationOf, type TestTransfer } from '#tests/support/signed-notifications.ts'

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

const written = async (name: string, lines: readonly object[] | string | Buffer): Promise<string> => {
  const file = join(folder, name)
  await writeFile(
    file,
    Array.isArray(lines) ? lines.map((line) => JSON.stringify(line)).join('\n') : (lines as string | Buffer),
  )
  return file
}

async function check(files: { log?: string | string[]; record?: string } = {}) {
  const rest = [
    '--since',
    since,
    ...Object.entries(files).flatMap(([name, file]) => [`--${name}`, file].flat()),
  ]
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
  test('what was lost is named, though what goes on gave its numbers to others', async () => {
    // Two copies of one database, as a primary and a standby that has nothing of what comes now.
    const lost = await startPollingApp([])
    await openAccounts(lost.test)
    try {
      const logs: string[] = []
      const ids: string[] = []
      for (const { test: portal } of [lost, polling]) {
        const { player, order } = await payment(portal)
        await deliver(portal, aNotification({ content: order.code }))
        await portal.call('POST', '/api/user/active', { token: player.token })
        ids.push(player.id)
        logs.push(portal.logged())
      }
      expect(ids[0]).toBe(ids[1])
      const files = [await written('lost1.log', logs[0] ?? ''), await written('goes-on.log', logs[1] ?? '')]
      const { lines } = await check({ log: files })
      // Registration, order, payment event, recharge and activation.
      expect(
        lines.slice(lines.indexOf('— the portal’s log') + 1, -5).map((line) => line.slice(26, 40)),
      ).toEqual([
        'registration o',
        expect.stringMatching(/^order /),
        'payment event ',
        expect.stringMatching(/^movement \d+ {2}/),
        expect.stringMatching(/^movement \d+ {2}/),
      ])
      expect(lines.at(-2)).toBe('5 of 10 changes in the log are not in the database')
    } finally {
      await lost.close()
    }
  })

  test('a whole portal is clean, and what was not given is named', async () => {
    const { id } = await aCustomer()
    const log = await written('whole.log', polling.test.logged())
    const record = await written('whole.jsonl', [applied(id)])
    const clean = await check({ log, record })
    expect(clean, clean.lines.join('\n')).toMatchObject({
      code: 0,
      last: 'after-failover: nothing is missing',
    })
    // Registration, order, payment event; of movements recharge, activation, hold and settlement.
    expect(clean.lines).toContain('0 of 7 changes in the log are not in the database')
    expect(clean.lines).toContainEqual(
      expect.stringMatching(/^compared from \S+ to \S+; 4 of the 4 movements of that time are in the log$/),
    )
    expect((await check()).last).toBe(
      'after-failover: nothing is missing; not compared: the game’s record (--record <file>), the portal’s log (--log <file>)',
    )
  })

  test('a log without one line of these proves nothing, also beside one that has some', async () => {
    await aPlayer(polling.test)
    const whole = await written('some.log', polling.test.logged())
    const log = await written('empty.log', 'started\n')
    expect(await check({ log })).toMatchObject({ code: 1 })
    const quiet = await written('quiet.log', [{ level: 'info', time: new Date(), msg: 'stopping' }])
    expect(await check({ log: quiet })).toMatchObject({ code: 1 })
    const both = await check({ log: [whole, log] })
    expect(both.code).toBe(1)
    expect(both.lines).toContain('1 files have no line of the portal')
  })

  test('logs of several machines, through journald, rotated and packed, are one', async () => {
    const { id } = await aCustomer()
    const lines = polling.test.logged().trimEnd().split('\n')
    const at = lines.findIndex((line) => line.includes('ledger.posted') && JSON.parse(line).time >= since)
    const first = await written(
      'web1.log',
      lines
        .slice(0, at + 1)
        .map((line) => `Nov 29 11:00:00 web1 node[8]: ${line}\n`)
        .join(''),
    )
    const second = await written('web2.log.2', gzipSync(lines.slice(at + 1).join('\n')))
    const whole = await check({ log: [first, second], record: await written('whole2.jsonl', [applied(id)]) })
    expect(whole, whole.lines.join('\n')).toMatchObject({ code: 0 })
    expect(whole.lines).toContain('0 of 7 changes in the log are not in the database')
    // Without one of them it is seen that something is not there.
    const half = (await check({ log: second })).lines.find((line) => line.startsWith('compared from'))
    expect(half).toMatch(/; 3 of the 4 movements of that time are in the log$/)
  })

  test('a line that is cut is named, since nothing shows that it is in the database', async () => {
    await aPlayer(polling.test)
    const lines = polling.test.logged().trimEnd().split('\n')
    const cut = lines.findLast((line) => line.includes('registration.succeeded'))
    const log = await written('cut.log', [...lines, cut?.slice(0, 120)].join('\n'))
    const { code, lines: printed } = await check({ log })
    expect(code).toBe(1)
    expect(printed).toContain(`not readable: ${cut?.slice(0, 120)}`)
    const unreadable = JSON.stringify({
      level: 'info',
      time: new Date(),
      event: 'ledger.posted',
      msg: 'TCoin',
    })
    const older = await check({ log: await written('odd.log', unreadable) })
    expect(older.code).toBe(1)
    expect(older.lines).toContain(`not comparable: ${unreadable}`)
    expect(older.lines).toContain(
      '1 lines are whole, but of another version of the program and without what is compared: see by their ids what became of them',
    )
    expect(older.lines).not.toContainEqual(expect.stringMatching(/not readable|cannot be read/))
    // Of a time before it is another matter.
    since = new Date(Date.now() + 1_000).toISOString()
    expect((await check({ log })).lines.filter((line) => line.startsWith('not readable'))).toEqual([])
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

  test('a transfer that was just booked is waited for, and is nothing once its notification came', async () => {
    const { test: portal, bank } = polling
    const account = VIETCOMBANK.number
    const bookedAgo = async (ms: number) => {
      const { order } = await payment(portal)
      return aTransfer(bank, { account, memo: order.code, bookedAt: new Date(Date.now() - ms) })
    }
    const notify = async (transfer: TestTransfer) => {
      const { body: payload, ...notification } = notificationOf({
        provider: 'sepay',
        transfer,
        at: new Date(),
      })
      const answer = await portal.app.inject({ method: 'POST', ...notification, payload })
      expect(answer.statusCode).toBe(200)
    }
    const [told, untold, late] = [await bookedAgo(119_000), await bookedAgo(119_000), await bookedAgo(0)]
    await pullLists(portal.deps)
    await notify(told)
    const asked = bank.calls.length
    const checking = check()
    await eventually(async () => expect(bank.calls.length).toBeGreaterThan(asked))
    // It must not have ended before.
    await Promise.race([checking, sleep(500)])
    await notify(late)
    const { code, lines } = await checking
    expect(code).toBe(1)
    expect(lines.filter((line) => line.startsWith('sepay '))).toEqual([
      expect.stringContaining(`  ${untold.ref}  `),
    ])
  })

  test('of lost goods it is said whether the game has them', async () => {
    const { id } = await aCustomer()
    const held = polling.test
      .logged()
      .split('\n')
      .find((line) => line.includes('exchange_hold') && line.includes(id))
    const hold = JSON.parse(held ?? '')
    const elsewhere = randomUUID()
    const reward = {
      ...hold,
      event: 'reward.given',
      deliveryId: elsewhere,
      userId: '1',
      givenFor: 'check-in:1',
    }
    const log = await written('goods.log', [{ ...hold, transferId: '999999999' }, reward])
    const { lines } = await check({ log })
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`delivery ${id} .* game: applied$`)))
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`reward ${elsewhere} .* game: unknown$`)))
  })

  test('one comparison that cannot be made leaves the others', async () => {
    await polling.test.db
      .insertInto('game_comparison')
      .values({ since: new Date(0), until: new Date() })
      .execute()
    const { code, lines, last } = await check({ log: join(folder, 'nowhere') })
    await polling.test.db
      .updateTable('game_comparison')
      .set({ state: 'done', finished_at: new Date() })
      .execute()
    expect([code, last]).toEqual([1, expect.stringContaining('what is missing: game, the portal’s log;')])
    expect(lines).toContainEqual(expect.stringMatching(/^could not be compared: .*nowhere cannot be read/))
  })

  test('a movement and a registration of the log that the database does not have are named', async () => {
    const before = polling.test.logged().length
    const { player } = await aCustomer()
    const passwords = { current_password: player.password, password: 'mot-mat-khau-khac-8' }
    const changed = { token: player.token, body: { ...passwords, password_confirmation: passwords.password } }
    expect((await polling.test.call('POST', '/api/user/change-password', changed)).status).toBe(200)
    const whole = polling.test
      .logged()
      .slice(before)
      .split('\n')
      .flatMap((line) =>
        /"(ledger\.posted|registration\.succeeded|audit\.appended|order\.placed|payment\.received)"/.test(
          line,
        )
          ? JSON.parse(line)
          : [],
      )
    const lineOf = (event: string) => whole.find((line) => line.event === event)
    const [first, moved] = [lineOf('registration.succeeded'), lineOf('ledger.posted')]
    const [order, event, act] = [lineOf('order.placed'), lineOf('payment.received'), lineOf('audit.appended')]
    expect(act).toMatchObject({ action: 'users.change-password', subjectId: player.id })
    const lost = [
      // Their numbers are those of others now, or nobody's.
      { ...first, createdAt: new Date(Date.now() - 60_000).toISOString() },
      { ...first, userId: '999999999' },
      { ...moved, transferId: '999999999' },
      { ...moved, requestId: 'another-request' },
      { ...moved, amount: moved.amount + 1 },
      { ...act, seq: '999999999' },
      { ...act, requestId: 'another-request' },
      { ...act, action: 'users.change-phone' },
      { ...act, subjectId: '1' },
      { ...order, orderCode: 'THN9999999999' },
      { ...event, providerEventId: '999999999' },
      { ...event, provider: 'casso' },
    ]
    since = new Date(Date.now() - 3_600_000).toISOString()
    const log = await written('lost.log', [...whole, ...lost])
    const { code, lines } = await check({ log })
    expect(code).toBe(1)
    const named = lines.slice(lines.indexOf('— the portal’s log') + 1, -4)
    const subject = `on user ${player.id}  request `
    const missing = [
      `registration of account ${first.userId}  request `,
      'registration of account 999999999  request ',
      `movement 999999999  recharge  50,000 TCoin  from ${moved.debit} to ${moved.credit}  bank_transaction `,
      `movement ${moved.transferId}  recharge  50,000 TCoin`,
      `movement ${moved.transferId}  recharge  50,001 TCoin`,
      `act users.change-password  ${subject}`,
      `act users.change-password  ${subject}another-request`,
      `act users.change-phone  ${subject}`,
      'act users.change-password  on user 1  request ',
      `order THN9999999999  50,000 VND  of account ${player.id}  request `,
      `payment event sepay 999999999  ${event.bankRef}  50,000 VND  request `,
      `payment event casso ${event.providerEventId}  ${event.bankRef}  50,000 VND  request `,
    ]
    expect(named).toHaveLength(missing.length)
    for (const part of missing) expect(named).toContainEqual(expect.stringContaining(part))
    expect(lines.at(-2)).toBe(
      `${missing.length} of ${whole.length + missing.length} changes in the log are not in the database`,
    )
  })

  test('a record without a delivery proves nothing', async () => {
    for (const empty of ['', '\n\n', '{"level":"info"}']) {
      const record = await written('empty.jsonl', empty)
      const { code, lines, last } = await check({ record })
      expect([code, last]).toEqual([1, expect.stringContaining('what is missing: the game’s record')])
      expect(lines).toContain(
        `${record}: no delivery that the game applied is in it, so nothing was compared`,
      )
    }
  })

  test.each([
    [[]],
    [['--since']],
    [['--since', '2026-11-29', '2026-11-30']],
    [['--since', 'yesterday']],
    [['2026-11-29']],
    [['--since', '2026-11-29', '--log']],
    [['--since', '2026-11-29', '--logs', 'a']],
  ])('%j is a wrong call', async (rest: string[]) => {
    const { deps, appUrl } = polling.test
    await expect(printAfterFailover(deps, { appUrl, rest }, () => {})).rejects.toBeInstanceOf(UsageError)
  })
})
