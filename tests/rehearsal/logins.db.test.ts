import { describe, expect, test } from 'vitest'
import { eventually } from '#tests/support/purchases.ts'
import { othersLike, spellingsOf } from '#tests/support/spellings.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { FOR_GOOD, PASSWORD, useLoginWorld } from './logins.ts'
import { whyNoRehearsal } from './machine.ts'

const missing = await whyNoRehearsal()
const world = useLoginWorld(missing === null)

describe.skipIf(missing !== null)('logins of the game (skipped without Java and MySQL)', () => {
  test('the portal decides, by a signed call with the address of the player', async () => {
    const account = await world.aHero()
    world.portal.acceptPassword(PASSWORD)
    expect(await world.game.login(account, PASSWORD, '198.51.100.4')).toMatchObject({
      result: 'OK',
      sentence: '',
    })
    expect(world.portal.asked).toEqual([
      { server_id: '1', account, password: PASSWORD, address: '198.51.100.4' },
    ])
    expect(await world.game.show(account)).not.toBeNull()
    expect(await world.game.login(account, '%')).toMatchObject({ result: 'WRONG' })
    expect((await world.game.login(account, '%')).sentence).toBe('Tên đăng nhập hoặc mật khẩu không đúng.')
    expect(world.portal.refused).toBe(0)
    // Of its own accord it asks for a login that nobody can have, to learn whether the portal is there.
    await eventually(async () => expect(world.portal.probes).toBe(1))
    await eventually(async () => {
      const rows = await world.query(
        'SELECT ABS(TIMESTAMPDIFF(SECOND, portal_answered_at, UTC_TIMESTAMP(3))) < 5 FROM portal_collector',
      )
      expect(rows).toEqual([['1']])
    })
  })

  test.runIf(hasAllCases)(
    'the address of the player is sent without what a socket writes around it',
    async () => {
      world.portal.acceptPassword('another')
      for (const [address, sent] of [
        ['/203.0.113.7:51234', '203.0.113.7'],
        ['localhost/127.0.0.1:5', '127.0.0.1'],
        ['/[2001:db8:0:0:0:0:0:1%eth0]:51234', '2001:db8:0:0:0:0:0:1'],
        ['/2001:db8:0:0:0:0:0:1:51234', '2001:db8:0:0:0:0:0:1'],
        ['2001:db8::1', '2001:db8::1'],
        ['', '0.0.0.0'],
        // The portal would refuse the whole question.
        ['localhost', '0.0.0.0'],
        ['/999.1.1.1:5', '0.0.0.0'],
        ['1:2', '0.0.0.0'],
      ] as const) {
        await world.game.login('somebody', PASSWORD, address)
        expect(world.portal.asked.at(-1)?.address).toBe(sent)
      }
    },
  )

  test.runIf(hasAllCases)('a new player of the portal gets a character at the first login', async () => {
    world.portal.acceptPassword(PASSWORD)
    expect(await world.game.login('nguoimoi', PASSWORD)).toMatchObject({ result: 'OK' })
    expect(await world.game.show('nguoimoi')).toMatchObject({ luong: 0 })
  })

  test('what else the portal may answer', async () => {
    const account = await world.aHero()
    world.portal.answer({ status: 'banned', until: '2027-01-02T03:04:05.000Z' })
    expect(await world.game.login(account, PASSWORD)).toMatchObject({
      result: 'BANNED',
      until: '2027-01-02T03:04:05Z',
      sentence: 'Tài khoản bị khóa đến 10:04 ngày 02/01/2027.',
    })
    world.portal.answer({ status: 'banned' })
    expect(await world.game.login(account, PASSWORD)).toMatchObject({
      until: null,
      sentence: 'Tài khoản đã bị khóa.',
    })
    world.portal.answer({ status: 'not-activated', account: account.toUpperCase() })
    expect(await world.game.login(account, PASSWORD)).toMatchObject({ result: 'NOT_ACTIVATED' })
    world.portal.answer({ status: 'slow-down' })
    expect(await world.game.login(account, PASSWORD)).toMatchObject({ result: 'SLOW_DOWN' })
  })

  test.runIf(hasAllCases)('an account or password that nobody can have is wrong without asking', async () => {
    for (const [account, password] of [
      ['', 'x'],
      ['x', ''],
      ['x'.repeat(65), 'x'],
      ['x', 'x'.repeat(129)],
    ] as const)
      expect(await world.game.login(account, password)).toMatchObject({ result: 'WRONG' })
    expect(world.portal.asked).toEqual([])
  })

  test('one account has one name, however it is typed, and one place in the game', async () => {
    const account = await world.aHero()
    world.portal.answer({ status: 'ok', account: account.toUpperCase() })
    for (const typed of spellingsOf(account)) {
      expect(await world.game.login(typed, PASSWORD), JSON.stringify(typed)).toMatchObject({
        result: 'OK',
        account,
      })
      expect(world.portal.asked.at(-1)?.account).toBe(account)
    }
    expect(await world.game.online()).toEqual([account])
    const asked = world.portal.asked.length
    for (const other of othersLike(account))
      expect(await world.game.login(other, PASSWORD), JSON.stringify(other)).toMatchObject({
        result: 'WRONG',
      })
    expect(world.portal.asked).toHaveLength(asked)
  })

  test.runIf(hasAllCases)(
    'settings that cannot work are refused at the start, each by its name',
    async () => {
      await expect(world.startGame({ secret: '' })).rejects.toThrow('secret is missing')
      await expect(world.startGame({ portalUrl: '' })).rejects.toThrow('portalUrl is missing')
      for (const portalUrl of [
        `${world.portal.url}/home`,
        'portal.example',
        'https://me:word@portal.example',
      ])
        await expect(world.startGame({ portalUrl })).rejects.toThrow('portalUrl is no address without a path')
      await world.game.end()
      world.game = await world.startGame({ portalUrl: `${world.portal.url}/` })
      world.portal.acceptPassword(PASSWORD)
      expect(await world.game.login(await world.aHero(), PASSWORD)).toMatchObject({ result: 'OK' })
    },
  )

  test('an answer that is not one counts as none', async () => {
    const account = await world.aKnownHero()
    const stranger = await world.aHero()
    // Each time another one, who has not been tried too often.
    let others = 0
    const aStranger = () => `nobody${++others}`
    const answers = [
      '<html>502 Bad Gateway</html>',
      '{"status":"ok","account":"NAME"',
      '{"status":"ok","account":"NAME"} {}',
      '{"status":"ok","status":"ok","account":"NAME"}',
      '["ok"]',
      '"ok"',
      '{"status":"fine"}',
      '{"status":null}',
      '{"status":"banned","until":"tomorrow"}',
      '{"status":"ok","account":"somebodyelse"}',
      // What many programs say of their health.
      '{"status":"ok"}',
      '{"status":"not-activated"}',
      `{"status":"ok","account":"NAME","more":"${'x'.repeat(70_000)}"}`,
      '['.repeat(5_000),
    ]
    for (const answer of everyNth(answers, 4, 1)) {
      const name = aStranger()
      world.portal.answer(answer.replace('NAME', name))
      const login = await world.game.login(name, PASSWORD).catch(String)
      expect(login, answer.slice(0, 60)).toMatchObject({ result: 'AWAY' })
      // Asked again at once, and not after a pause, once one answer can be used.
      world.portal.acceptPassword('nobody has it')
      await eventually(async () => expect((await world.game.login(stranger, 'x')).result).toBe('WRONG'))
    }
    for (const status of everyNth([201, 302, 401, 404, 429, 500, 503], 4)) {
      const name = aStranger()
      world.portal.answer({ status: 'ok', account: name }, status)
      expect(await world.game.login(name, PASSWORD), String(status)).toMatchObject({ result: 'AWAY' })
      world.portal.acceptPassword('nobody has it')
      await eventually(async () => expect((await world.game.login(stranger, 'x')).result).toBe('WRONG'))
    }
    world.portal.answer('rubbish')
    expect(await world.game.login(account, PASSWORD)).toMatchObject({ result: 'OK' })
    // A portal that refuses the question is there: nobody tries passwords past it.
    for (const status of [400, 422]) {
      world.portal.answer({ code: 'VALIDATION' }, status)
      for (let at = 0; at < 4; at++)
        expect(await world.game.login(account, PASSWORD)).toMatchObject({ result: 'AWAY' })
    }
    world.portal.acceptPassword(PASSWORD)
    expect(await world.game.login(stranger, PASSWORD)).toMatchObject({ result: 'OK' })
  })

  test.runIf(hasAllCases)(
    'a portal that answers slowly holds up a login for seconds, and after some of them none at all',
    async () => {
      const known = [await world.aKnownHero(), await world.aKnownHero(), await world.aKnownHero()]
      const [account = ''] = known
      world.portal.answerBy(() => {})
      const slow = await Promise.all(known.map((name) => world.game.login(name, PASSWORD)))
      for (const { result, ms } of slow)
        expect({ result, isInTime: ms < 10_000 }).toEqual({ result: 'OK', isInTime: true })
      const asked = world.portal.asked.length
      expect(await world.game.login(account, PASSWORD)).toMatchObject({ result: 'OK' })
      expect(world.portal.asked).toHaveLength(asked)
      // It comes back: asked again within seconds.
      world.portal.answer({ status: 'slow-down' })
      await eventually(async () =>
        expect((await world.game.login(account, PASSWORD)).result).toBe('SLOW_DOWN'),
      )
    },
  )

  test.runIf(hasAllCases)(
    'players in the game are disconnected within five seconds of a ban or a changed password',
    async () => {
      const [banned, changed, free, again] = [
        await world.aHero(),
        await world.aHero(),
        await world.aHero(),
        await world.aHero(),
      ]
      world.portal.acceptPassword(PASSWORD)
      await world.tell(again, { changed: 'UTC_TIMESTAMP(3)' })
      for (const account of [banned, changed, free, again])
        expect(await world.game.login(account, PASSWORD)).toMatchObject({ result: 'OK' })
      await world.tell(free, { changed: 'UTC_TIMESTAMP(3) - INTERVAL 1 HOUR' })
      await world.tell(banned, { banned: FOR_GOOD })
      await world.tell(changed, { changed: 'UTC_TIMESTAMP(3) + INTERVAL 1 SECOND' })
      const start = performance.now()
      await eventually(async () => expect(await world.game.disconnected()).toHaveLength(2))
      expect(performance.now() - start).toBeLessThan(5_000)
      expect(await world.game.disconnected()).toEqual(
        expect.arrayContaining([
          { account: banned, sentence: 'Tài khoản đã bị khóa.' },
          { account: changed, sentence: 'Mật khẩu của tài khoản đã được đổi. Hãy đăng nhập lại.' },
        ]),
      )
      expect(await world.game.show(banned)).toBeNull()
      // Who logged in with the new password stays.
      for (const account of [free, again]) expect(await world.game.show(account)).not.toBeNull()
    },
  )
  test('every session of a banned account is disconnected, however the game spells it', async () => {
    const account = await world.aHero()
    for (const name of [account, account.toUpperCase()]) expect(await world.game.enter(name)).toBe(true)
    await world.tell(account, { banned: FOR_GOOD })
    await eventually(async () => expect(await world.game.disconnected()).toHaveLength(2))
  })
})
