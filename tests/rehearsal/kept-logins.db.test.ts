import { createHmac, pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { eventually } from '#tests/support/purchases.ts'
import { othersLike, spellingsOf } from '#tests/support/spellings.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { type Login, SECRET } from './game.ts'
import { FOR_GOOD, PASSWORD, SOON, useLoginWorld } from './logins.ts'
import { whyNoRehearsal } from './machine.ts'

const missing = await whyNoRehearsal()
const world = useLoginWorld(missing === null)

const login = (account: string, password = PASSWORD, address?: string) =>
  world.game.login(account, password, address)
const keptOf = (account: string) =>
  world.query(`SELECT HEX(salt), HEX(hash) FROM portal_login WHERE account = '${account}'`)
const expectKept = (account: string) => eventually(async () => expect(await keptOf(account)).toHaveLength(1))
const expectForgotten = (account: string) => eventually(async () => expect(await keptOf(account)).toEqual([]))
const setAge = (account: string, interval: string) =>
  world.query(
    `UPDATE portal_login SET accepted_at = UTC_TIMESTAMP(3) - INTERVAL ${interval} WHERE account = '${account}'`,
  )

const OUTSIDE =
  'Hiện chỉ người đã đăng nhập trong 24 giờ qua vào được game. Nếu bạn đã đăng nhập trong 24 giờ qua, hãy kiểm tra lại mật khẩu. Máy chủ tài khoản tạm thời không trả lời. Hãy thử lại sau ít phút.'

/** What an answer tells, whatever time it took. */
const told = ({ ms: _ms, ...answer }: Login) => answer
const NOT_LET_IN = { result: 'AWAY', account: null, until: null, sentence: OUTSIDE }

describe.skipIf(missing !== null)('the portal is away (skipped without Java and MySQL)', () => {
  test.runIf(hasAllCases)(
    'the last accepted password opens at once and after a restart, in each form of its marks',
    async () => {
      const account = await world.aKnownHero()
      await world.portal.goAway()
      expect(await login(account)).toMatchObject({ result: 'OK', account })
      expect(world.game.log()).toContain(`The portal at ${world.portal.url} does not answer a login: `)
      expect(world.game.log()).not.toContain(PASSWORD)
      await expectKept(account)
      await world.restartGame()
      for (const form of ['NFC', 'NFD'])
        expect(await login(account, PASSWORD.normalize(form))).toMatchObject({ result: 'OK', account })
    },
  )

  test.runIf(hasAllCases)('what waits to be kept is kept before the game ends', async () => {
    const account = await world.aKnownHero()
    await world.portal.goAway()
    await world.restartGame()
    expect(await login(account)).toMatchObject({ result: 'OK', account })
  })

  test.runIf(hasAllCases)('known and unknown names get the same answer, for the same work', async () => {
    const account = await world.aKnownHero()
    await expectKept(account)
    await world.portal.goAway()
    const wrong = await login(account, 'another')
    const unknown = await login('nguoila')
    expect([told(wrong), told(unknown)]).toEqual([NOT_LET_IN, NOT_LET_IN])
    // No processor does 600,000 rounds sooner.
    expect(unknown.ms).toBeGreaterThan(50)
  })

  test.runIf(hasAllCases)('every spelling is the same account and the same place in the game', async () => {
    const account = await world.aKnownHero()
    await world.portal.goAway()
    for (const typed of spellingsOf(account))
      expect(await login(typed), JSON.stringify(typed)).toMatchObject({ result: 'OK', account })
    expect(await world.game.online()).toEqual([account])
    for (const other of othersLike(account))
      expect(await login(other), JSON.stringify(other)).toMatchObject({ result: 'WRONG' })
  })

  test('nobody gets in after a day, or with old knowledge of bans; who is not activated is told so', async () => {
    const account = await world.aKnownHero()
    await expectKept(account)
    await world.portal.goAway()
    await world.tell(account, { activated: 0 })
    expect(await login(account)).toMatchObject({ result: 'NOT_ACTIVATED', account })
    await world.tell(account, { changed: 'UTC_TIMESTAMP(3) - INTERVAL 1 HOUR' })
    expect(await login(account)).toMatchObject({ result: 'OK' })
    for (const [until, result] of [
      ['UTC_TIMESTAMP(3) - INTERVAL 400 SECOND', 'AWAY'],
      ['UTC_TIMESTAMP(3) - INTERVAL 200 SECOND', 'OK'],
    ] as const) {
      await world.setAccountsUntil(until)
      expect(await login(account)).toMatchObject({ result })
    }
    await world.query("DELETE FROM portal_state WHERE name = 'accounts_until'")
    expect(await login(account)).toMatchObject({ result: 'AWAY' })
    await world.setAccountsUntil('UTC_TIMESTAMP(3)')
    await world.tell(account)
    await setAge(account, '23 HOUR')
    expect(await login(account)).toMatchObject({ result: 'OK' })
    await setAge(account, '25 HOUR')
    expect(told(await login(account))).toEqual(NOT_LET_IN)
  })

  test('who was not activated gets the same answer again, until the portal tells of it', async () => {
    const account = await world.aHero()
    const notActivated = { result: 'NOT_ACTIVATED', account }
    let kept: unknown
    for (const status of ['not-activated', 'ok', 'not-activated']) {
      world.portal.answer({ status, account })
      expect(await login(account)).toMatchObject({ result: status === 'ok' ? 'OK' : 'NOT_ACTIVATED' })
      // The same password, kept anew.
      await expectKept(account)
      await eventually(async () => expect(await keptOf(account)).not.toEqual(kept))
      kept = await keptOf(account)
    }
    await world.portal.goAway()
    expect(await login(account)).toMatchObject(notActivated)
    expect(told(await login(account, 'another'))).toEqual(NOT_LET_IN)
    await world.restartGame()
    expect(await login(account)).toMatchObject(notActivated)
    await world.tell(account)
    expect(await login(account)).toMatchObject({ result: 'OK', account })
    await world.query(`DELETE FROM portal_account WHERE account = '${account}'`)
    expect(await login(account)).toMatchObject(notActivated)
  })

  test('a ban, an erasure and another password close at once, also before they are forgotten', async () => {
    const states = [
      { banned: SOON },
      { banned: FOR_GOOD, changed: 'UTC_TIMESTAMP(3)', activated: 0 },
      { changed: 'UTC_TIMESTAMP(3)' },
    ]
    // The first two are in whole.db.test.ts too.
    for (const state of everyNth(states, 3, 2)) {
      const account = await world.aKnownHero()
      // Not even written to the database yet.
      await world.tell(account, state)
      await world.portal.goAway()
      expect(told(await login(account))).toEqual(NOT_LET_IN)
      await expectForgotten(account)
      expect(told(await login(account))).toEqual(NOT_LET_IN)
      await world.portal.comeBack()
    }
  })
})

describe.skipIf(missing !== null)('what is kept of a login (skipped without Java and MySQL)', () => {
  test('is a costly hash, which nobody can try without the secret', async () => {
    const account = await world.aKnownHero()
    await expectKept(account)
    const [[salt = '', hash] = []] = (await keptOf(account)) as string[][]
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const mix = hmac(hmac(SECRET, 'passwords kept by PortalGame'), `${account} ${PASSWORD.normalize('NFC')}`)
    const mixed = BigInt(`0x${mix.toString('hex')}`).toString(36)
    const expected = pbkdf2Sync(mixed, Buffer.from(salt, 'hex'), 600_000, 32, 'sha256')
    expect(hash).toBe(expected.toString('hex').toUpperCase())
    await world.portal.goAway()
    expect(await login(account)).toMatchObject({ result: 'OK' })
    // One player's row does not open another's account.
    const other = await world.aHero()
    await world.query(`UPDATE portal_login SET account = '${other}' WHERE account = '${account}'`)
    expect(told(await login(other))).toEqual(NOT_LET_IN)
  })

  test.runIf(hasAllCases)('opens nothing for a game with another secret', async () => {
    const account = await world.aKnownHero()
    await expectKept(account)
    await world.portal.goAway()
    await world.restartGame({ secret: 'another-secret-of-the-game' })
    expect(told(await login(account))).toEqual(NOT_LET_IN)
    await world.restartGame()
    expect(await login(account)).toMatchObject({ result: 'OK' })
  })

  test.runIf(hasAllCases)(
    'ends after a day, at a ban, an erasure and another password; the others stay',
    async () => {
      const names = ['old', 'banned', 'changed', 'future', 'stays', 'free'] as const
      const heroes: Record<(typeof names)[number], string> = Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await world.aKnownHero()])),
      )
      for (const account of Object.values(heroes)) await expectKept(account)
      await setAge(heroes.old, '1441 MINUTE')
      await setAge(heroes.future, '-2 HOUR')
      await setAge(heroes.stays, '1430 MINUTE')
      await world.tell(heroes.banned, { banned: FOR_GOOD })
      await world.tell(heroes.changed, { changed: 'UTC_TIMESTAMP(3) + INTERVAL 1 SECOND' })
      await world.tell(heroes.free, { banned: 'UTC_TIMESTAMP(3) - INTERVAL 1 HOUR' })
      for (const gone of [heroes.old, heroes.future, heroes.banned, heroes.changed])
        await expectForgotten(gone)
      for (const stays of [heroes.stays, heroes.free]) expect(await keptOf(stays)).toHaveLength(1)
    },
  )

  test.runIf(hasAllCases)(
    'is looked through at the start, and what another version has kept is removed',
    async () => {
      const [old, fresh] = [await world.aKnownHero(), await world.aKnownHero()]
      await expectKept(old)
      await expectKept(fresh)
      await world.game.end()
      await setAge(old, '25 HOUR')
      world.game = await world.startGame()
      await expectForgotten(old)
      expect(await keptOf(fresh)).toHaveLength(1)
      await world.game.end()
      await world.query("DELETE FROM portal_state WHERE name = 'kept_logins'")
      world.game = await world.startGame()
      await expectForgotten(fresh)
      await world.portal.goAway()
      expect(told(await login(fresh))).toEqual(NOT_LET_IN)
    },
  )

  test('is forgotten when the portal refuses this password, and not when somebody guesses another', async () => {
    const account = await world.aKnownHero()
    await expectKept(account)
    world.portal.acceptPassword('another one')
    expect(await login(account, 'a guess')).toMatchObject({ result: 'WRONG' })
    await world.portal.goAway()
    expect(await login(account)).toMatchObject({ result: 'OK' })
    await world.portal.comeBack()
    await eventually(async () => expect(await login(account)).toMatchObject({ result: 'WRONG' }))
    await world.portal.goAway()
    expect(told(await login(account))).toEqual(NOT_LET_IN)
    await expectForgotten(account)
  })

  test.runIf(hasAllCases)(
    'is forgotten at any refusal when the game does not know which password it was',
    async () => {
      const account = await world.aKnownHero()
      await expectKept(account)
      await world.restartGame()
      world.portal.acceptPassword('another one')
      expect(await login(account, 'a guess')).toMatchObject({ result: 'WRONG' })
      await expectForgotten(account)
    },
  )

  test.runIf(hasAllCases)('is forgotten when the portal tells of a ban', async () => {
    const account = await world.aKnownHero()
    await expectKept(account)
    world.portal.answer({ status: 'banned' })
    expect(await login(account)).toMatchObject({ result: 'BANNED' })
    await world.portal.goAway()
    expect(told(await login(account))).toEqual(NOT_LET_IN)
    await expectForgotten(account)
  })

  test.runIf(hasAllCases)(
    'is kept for another day by the same password, without another hash, and replaced by another',
    async () => {
      const account = await world.aKnownHero()
      await expectKept(account)
      const before = await keptOf(account)
      await setAge(account, '23 HOUR')
      expect(await login(account)).toMatchObject({ result: 'OK' })
      await eventually(async () =>
        expect(
          await world.query(
            `SELECT accepted_at > UTC_TIMESTAMP(3) - INTERVAL 1 HOUR FROM portal_login WHERE account = '${account}'`,
          ),
        ).toEqual([['1']]),
      )
      expect(await keptOf(account)).toEqual(before)
      world.portal.acceptPassword('a new one')
      expect(await login(account, 'a new one')).toMatchObject({ result: 'OK' })
      await eventually(async () => expect(await keptOf(account)).not.toEqual(before))
      await world.portal.goAway()
      expect(told(await login(account))).toEqual(NOT_LET_IN)
      expect(await login(account, 'a new one')).toMatchObject({ result: 'OK' })
    },
  )

  test.runIf(hasAllCases)(
    'needs no database: with all tables locked who is known gets in, at once',
    async () => {
      const [account, banned, fresh] = [
        await world.aKnownHero(),
        await world.aKnownHero(),
        await world.aHero(),
      ]
      await expectKept(account)
      await expectKept(banned)
      await world.tell(banned, { banned: FOR_GOOD })
      await expectForgotten(banned)
      const release = await world.rehearsal.database.hold(
        'LOCK TABLES portal_login WRITE, portal_account WRITE, portal_state WRITE, portal_collector WRITE',
      )
      const isSoon = ({ ms }: Login) => ms < 5_000
      const first = await login(fresh)
      expect({ ...first, ms: isSoon(first) }).toMatchObject({ result: 'OK', ms: true })
      await world.portal.goAway()
      // As many as wait for each other when one does.
      const answers = await Promise.all(
        [account, fresh, account, banned, 'nguoila'].map((name) => login(name)),
      )
      const results = answers.map(({ result }) => result)
      // The same name twice at once is one too many.
      expect(results.toSorted()).toEqual(['AWAY', 'AWAY', 'OK', 'OK', 'SLOW_DOWN'])
      expect(results.slice(3)).toEqual(['AWAY', 'AWAY'])
      expect(answers.every(isSoon)).toBe(true)
      await release()
      await world.portal.comeBack()
      await expectKept(fresh)
    },
  )

  test.runIf(hasAllCases)('is judged without a database only after a fresh look at bans', async () => {
    const account = await world.aKnownHero()
    await expectKept(account)
    await world.setAccountsUntil('UTC_TIMESTAMP(3) - INTERVAL 400 SECOND')
    const other = await world.aKnownHero()
    await expectKept(other)
    // The next look, of which something that it removes tells.
    await world.tell(other, { banned: FOR_GOOD })
    await expectForgotten(other)
    const release = await world.rehearsal.database.hold(
      'LOCK TABLES portal_login WRITE, portal_account WRITE, portal_state WRITE, portal_collector WRITE',
    )
    await world.portal.goAway()
    expect(await login(account)).toMatchObject({ result: 'AWAY' })
    await release()
  })
})

describe.skipIf(missing !== null)('guesses while the portal is away (skipped without Java and MySQL)', () => {
  const resultsOf = (answers: Login[]) => answers.map(({ result }) => result)
  const isJudged = ({ result }: Login) => result !== 'SLOW_DOWN'

  test('of one name are judged one after the other: of sixty at once nearly none', async () => {
    const account = await world.aKnownHero()
    await world.portal.goAway()
    for (const name of [account, 'nguoila']) {
      const guesses = Array.from({ length: 60 }, (_, at) => login(name, `guess ${at}`, `198.51.100.${at}`))
      const answers = await Promise.all(guesses)
      expect(answers.filter(isJudged).length).toBeLessThanOrEqual(5)
      for (const answer of answers.filter(isJudged)) expect(told(answer)).toEqual(NOT_LET_IN)
    }
    // They count for where they came from: the player gets in.
    expect(await login(account)).toMatchObject({ result: 'OK' })
  })

  test.runIf(hasAllCases)('have to wait longer and longer, at known and unknown names alike', async () => {
    const account = await world.aKnownHero()
    await world.portal.goAway()
    const guess = async (name: string) => {
      const answers: Login[] = []
      for (let at = 0; at < 6; at++) answers.push(await login(name, `guess ${at}`))
      return answers
    }
    const known = await guess(account)
    // The right password has to wait too: an answer would tell that it is the right one.
    known.push(await login(account))
    expect(resultsOf(known)).toEqual(['AWAY', 'AWAY', 'AWAY', 'AWAY', 'SLOW_DOWN', 'SLOW_DOWN', 'SLOW_DOWN'])
    expect((await guess('nguoila')).map(told)).toEqual(known.slice(0, 6).map(told))
  })

  test('from everywhere close a name and an address, but not to whom the portal let in there', async () => {
    const [home, elsewhere] = ['203.0.113.7', '198.51.100.99']
    const guess = (name: string, address: string, outcome: 'wrong' | 'right' | 'letIn' = 'wrong') =>
      world.game.call('guess', name, address, outcome)
    await guess('kiemkhach', home, 'letIn')
    for (let at = 0; at < 30; at++) expect(await guess('kiemkhach', `198.51.100.${at}`)).toBe(true)
    expect(await guess('kiemkhach', elsewhere)).toBe(false)
    expect(await guess('kiemkhach', home, 'right')).toBe(true)
    // A neighbour in the same network of IPv6 is the same guesser.
    for (let at = 0; at < 100; at++) expect(await guess(`nguoila${at}`, `2001:db8::${at + 1}`)).toBe(true)
    expect(await guess('nguoila100', '2001:db8::fff')).toBe(false)
    expect(await guess('nguoila100', '2001:db8:0:1::1')).toBe(true)
    // A thousand in all.
    for (let at = 0; at < 869; at++)
      expect(await guess(`nguoikhac${at}`, `10.1.${at % 200}.${at % 9}`)).toBe(true)
    expect(await guess('nguoikhac', '10.2.1.1')).toBe(false)
    expect(await guess('kiemkhach', home, 'right')).toBe(true)
  })

  test('that are not wrong are not counted', async () => {
    for (let at = 0; at < 120; at++)
      expect(await world.game.call('guess', 'kiemkhach', '198.51.100.4', 'right')).toBe(true)
  })
})
