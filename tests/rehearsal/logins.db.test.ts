import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '#tests/support/purchases.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { addHeroes } from './claims.ts'
import { type FakePortal, startFakePortal } from './fake-portal.ts'
import { openRehearsal, type Rehearsal, type RehearsalGame } from './game.ts'
import { whyNoRehearsal } from './machine.ts'

const missing = await whyNoRehearsal()

let rehearsal: Rehearsal
let portal: FakePortal
let game: RehearsalGame
let heroes = 0

beforeAll(async () => {
  if (missing === null) rehearsal = await openRehearsal()
})
beforeEach(async () => {
  portal = await startFakePortal()
  game = await rehearsal.startGame({ portalUrl: portal.url })
  await setAccountsUntil('UTC_TIMESTAMP(3)')
})
afterEach(async () => {
  await game.end()
  await portal.close()
})
afterAll(() => rehearsal?.end())

const PASSWORD = 'mật khẩu "của tôi" %_'

async function aHero(): Promise<string> {
  const account = `hero${++heroes}`
  await addHeroes(rehearsal.database, [{ id: heroes, account }])
  return account
}

/** Up to when the portal has told the game everything about its accounts, by its own word. */
const setAccountsUntil = (time: string) =>
  rehearsal.database.query(
    `REPLACE INTO portal_state (name, value)
     VALUES ('accounts_until', CONCAT(REPLACE(LEFT(CAST(${time} AS CHAR), 19), ' ', 'T'), '.000Z'))`,
  )

/** What the portal has told about an account. */
const tell = (account: string, { banned = 'NULL', changed = 'NULL', activated = 1 } = {}) =>
  rehearsal.database.query(
    `REPLACE INTO portal_account (account, activated, banned_until, password_changed_at, version, changed_at)
     VALUES ('${account}', ${activated}, ${banned}, ${changed}, 1, UTC_TIMESTAMP(3))`,
  )

const SOON = 'UTC_TIMESTAMP(3) + INTERVAL 1 HOUR'
const FOR_GOOD = "'9999-12-31 00:00:00'"

/** A player who has logged in by the portal and left again. */
async function aKnownHero(): Promise<string> {
  const account = await aHero()
  portal.acceptPassword(PASSWORD)
  expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'OK', account })
  await game.leave(account)
  return account
}

describe.skipIf(missing !== null)('logins of the game (skipped without Java and MySQL)', () => {
  test('the portal decides, by a signed call with the address of the player', async () => {
    const account = await aHero()
    portal.acceptPassword(PASSWORD)
    expect(await game.login(account, PASSWORD, '198.51.100.4')).toMatchObject({ result: 'OK', sentence: '' })
    expect(portal.asked).toEqual([{ server_id: '1', account, password: PASSWORD, address: '198.51.100.4' }])
    expect(await game.show(account)).not.toBeNull()
    expect(await game.login(account, '%')).toMatchObject({ result: 'WRONG' })
    expect((await game.login(account, '%')).sentence).toBe('Tên đăng nhập hoặc mật khẩu không đúng.')
    expect(portal.refused).toBe(0)
    // Of its own accord it asks for a login that nobody can have, to learn whether the portal is there.
    await eventually(async () => expect(portal.probes).toBe(1))
    await eventually(async () => {
      const rows = await rehearsal.database.query(
        'SELECT ABS(TIMESTAMPDIFF(SECOND, portal_answered_at, UTC_TIMESTAMP(3))) < 5 FROM portal_collector',
      )
      expect(rows).toEqual([['1']])
    })
  })

  test('the address of the player is sent without what a socket writes around it', async () => {
    portal.acceptPassword('another')
    for (const [address, sent] of [
      ['/203.0.113.7:51234', '203.0.113.7'],
      ['localhost/127.0.0.1:5', '127.0.0.1'],
      ['/[2001:db8:0:0:0:0:0:1%eth0]:51234', '2001:db8:0:0:0:0:0:1'],
      ['/2001:db8:0:0:0:0:0:1:51234', '2001:db8:0:0:0:0:0:1'],
      ['2001:db8::1', '2001:db8::1'],
      ['', '0.0.0.0'],
    ] as const) {
      await game.login('somebody', PASSWORD, address)
      expect(portal.asked.at(-1)?.address).toBe(sent)
    }
  })

  test('a new player of the portal gets a character at the first login', async () => {
    portal.acceptPassword(PASSWORD)
    expect(await game.login('nguoimoi', PASSWORD)).toMatchObject({ result: 'OK' })
    expect(await game.show('nguoimoi')).toMatchObject({ luong: 0 })
  })

  test('what else the portal may answer', async () => {
    const account = await aHero()
    portal.answer({ status: 'banned', until: '2027-01-02T03:04:05.000Z' })
    expect(await game.login(account, PASSWORD)).toMatchObject({
      result: 'BANNED',
      until: '2027-01-02T03:04:05Z',
      sentence: 'Tài khoản bị khóa đến 10:04 ngày 02/01/2027.',
    })
    portal.answer({ status: 'banned' })
    expect(await game.login(account, PASSWORD)).toMatchObject({
      until: null,
      sentence: 'Tài khoản đã bị khóa.',
    })
    portal.answer({ status: 'not-activated', account: account.toUpperCase() })
    expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'NOT_ACTIVATED' })
    portal.answer({ status: 'slow-down' })
    expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'SLOW_DOWN' })
  })

  test('an account or password that nobody can have is wrong without asking', async () => {
    for (const [account, password] of [
      ['', 'x'],
      ['x', ''],
      ['x'.repeat(65), 'x'],
      ['x', 'x'.repeat(129)],
    ] as const)
      expect(await game.login(account, password)).toMatchObject({ result: 'WRONG' })
    expect(portal.asked).toEqual([])
  })

  test('without the portal: the last accepted password opens, another one does not, a new player is told why', async () => {
    const account = await aKnownHero()
    await portal.goAway()
    expect(await game.login(account.toUpperCase(), PASSWORD)).toMatchObject({ result: 'OK' })
    expect(await game.login(account, 'another')).toMatchObject({ result: 'WRONG' })
    const stranger = await game.login(await aHero(), PASSWORD)
    expect(stranger.result).toBe('AWAY')
    expect(game.log()).toContain(`The portal at ${portal.url} does not answer a login: `)
    expect(stranger.sentence).toBe(
      'Hiện chỉ người đã đăng nhập trong 24 giờ qua vào được game. Máy chủ tài khoản tạm thời không trả lời. Hãy thử lại sau ít phút.',
    )
    // Not even the name of the password is stored.
    const [row] = await rehearsal.database.query(
      `SELECT HEX(hash) FROM portal_login WHERE account = '${account}'`,
    )
    expect(row?.[0]).toMatch(/^[0-9A-F]{64}$/)
    expect(game.log()).not.toContain(PASSWORD)
  })

  test('without the portal: not after a day, a ban, a password change, or with old knowledge of bans', async () => {
    const account = await aKnownHero()
    await portal.goAway()
    const expectLogin = async (result: string) =>
      expect((await game.login(account, PASSWORD)).result).toBe(result)
    await tell(account, { banned: SOON })
    await expectLogin('BANNED')
    await tell(account, { banned: FOR_GOOD })
    expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'BANNED', until: null })
    await tell(account, { banned: 'UTC_TIMESTAMP(3) - INTERVAL 1 SECOND' })
    await expectLogin('OK')
    await tell(account, { activated: 0 })
    await expectLogin('NOT_ACTIVATED')
    await tell(account, { changed: 'UTC_TIMESTAMP(3)' })
    await expectLogin('AWAY')
    await tell(account, { changed: 'UTC_TIMESTAMP(3) - INTERVAL 1 HOUR' })
    await expectLogin('OK')
    await setAccountsUntil('UTC_TIMESTAMP(3) - INTERVAL 400 SECOND')
    await expectLogin('AWAY')
    await setAccountsUntil('UTC_TIMESTAMP(3) - INTERVAL 200 SECOND')
    await expectLogin('OK')
    await rehearsal.database.query("DELETE FROM portal_state WHERE name = 'accounts_until'")
    await expectLogin('AWAY')
    await setAccountsUntil('UTC_TIMESTAMP(3)')
    const age = (hours: number) =>
      `UPDATE portal_login SET accepted_at = UTC_TIMESTAMP(3) - INTERVAL ${hours} HOUR`
    await tell(account)
    await rehearsal.database.query(age(25))
    await expectLogin('AWAY')
    await rehearsal.database.query(age(23))
    await expectLogin('OK')
  })

  test('without the portal: passwords cannot be tried for long', async () => {
    const account = await aKnownHero()
    await portal.goAway()
    for (let attempt = 0; attempt < 10; attempt++)
      expect(await game.login(account, `guess ${attempt}`)).toMatchObject({ result: 'WRONG' })
    expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'SLOW_DOWN' })
  })

  test('a ban that the portal told at a login is one without the portal too', async () => {
    const account = await aKnownHero()
    portal.answer({ status: 'banned' })
    expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'BANNED' })
    await portal.goAway()
    expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'AWAY' })
  })

  test('settings that cannot work are refused at the start, each by its name', async () => {
    await expect(rehearsal.startGame({ secret: '' })).rejects.toThrow('secret is missing')
    await expect(rehearsal.startGame({ portalUrl: '' })).rejects.toThrow('portalUrl is missing')
    for (const portalUrl of [`${portal.url}/home`, 'portal.example', 'https://me:word@portal.example'])
      await expect(rehearsal.startGame({ portalUrl })).rejects.toThrow(
        'portalUrl is no address without a path',
      )
    await game.end()
    game = await rehearsal.startGame({ portalUrl: `${portal.url}/` })
    portal.acceptPassword(PASSWORD)
    expect(await game.login(await aHero(), PASSWORD)).toMatchObject({ result: 'OK' })
  })

  test('an answer that is not one counts as none', async () => {
    const account = await aKnownHero()
    const stranger = await aHero()
    for (const answer of [
      '<html>502 Bad Gateway</html>',
      '{"status":"ok"',
      '{"status":"ok"} {}',
      '{"status":"ok","status":"ok"}',
      '["ok"]',
      '"ok"',
      '{"status":"fine"}',
      '{"status":null}',
      '{"status":"banned","until":"tomorrow"}',
      '{"status":"ok","account":"somebodyelse"}',
      `{"status":"ok","more":"${'x'.repeat(70_000)}"}`,
      '['.repeat(5_000),
    ]) {
      portal.answer(answer)
      expect(await game.login(stranger, PASSWORD), answer.slice(0, 60)).toMatchObject({ result: 'AWAY' })
      // Asked again at once, and not after a pause, once one answer can be used.
      portal.acceptPassword('nobody has it')
      await eventually(async () => expect((await game.login(stranger, 'x')).result).toBe('WRONG'))
    }
    for (const status of [201, 302, 401, 404, 429, 500, 503]) {
      portal.answer({ status: 'ok' }, status)
      expect(await game.login(stranger, PASSWORD), String(status)).toMatchObject({ result: 'AWAY' })
      portal.acceptPassword('nobody has it')
      await eventually(async () => expect((await game.login(stranger, 'x')).result).toBe('WRONG'))
    }
    portal.answer('rubbish')
    expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'OK' })
  })

  test.runIf(hasAllCases)(
    'a portal that answers slowly holds up a login for seconds, and after some of them none at all',
    async () => {
      const account = await aKnownHero()
      portal.answerBy(() => {})
      const slow = await Promise.all([1, 2, 3].map(() => game.login(account, PASSWORD)))
      for (const { result, ms } of slow)
        expect({ result, isInTime: ms < 10_000 }).toEqual({ result: 'OK', isInTime: true })
      const asked = portal.asked.length
      expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'OK' })
      expect(portal.asked).toHaveLength(asked)
      // It comes back: asked again within seconds.
      portal.answer({ status: 'slow-down' })
      await eventually(async () => expect((await game.login(account, PASSWORD)).result).toBe('SLOW_DOWN'))
    },
  )

  test('players in the game are disconnected within five seconds of a ban or a changed password', async () => {
    const [banned, changed, free, again] = [await aHero(), await aHero(), await aHero(), await aHero()]
    portal.acceptPassword(PASSWORD)
    await tell(again, { changed: 'UTC_TIMESTAMP(3)' })
    for (const account of [banned, changed, free, again])
      expect(await game.login(account, PASSWORD)).toMatchObject({ result: 'OK' })
    await tell(free, { changed: 'UTC_TIMESTAMP(3) - INTERVAL 1 HOUR' })
    await tell(banned, { banned: FOR_GOOD })
    await tell(changed, { changed: 'UTC_TIMESTAMP(3) + INTERVAL 1 SECOND' })
    const start = performance.now()
    await eventually(async () => expect(await game.disconnected()).toHaveLength(2))
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(await game.disconnected()).toEqual(
      expect.arrayContaining([
        { account: banned, sentence: 'Tài khoản đã bị khóa.' },
        { account: changed, sentence: 'Mật khẩu của tài khoản đã được đổi. Hãy đăng nhập lại.' },
      ]),
    )
    expect(await game.show(banned)).toBeNull()
    // Who logged in with the new password stays.
    for (const account of [free, again]) expect(await game.show(account)).not.toBeNull()
  })
})
