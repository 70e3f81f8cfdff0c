import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startBeside, useTestApp, type TestAnswer } from '#tests/support/app.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { aPlayer, creditPlayer, type TestPlayer, balances, ban, send } from '#tests/support/players.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { withSettings } from '#tests/support/settings.ts'

const portal = useTestApp()
let payer: TestPlayer
let payee: TestPlayer
beforeEach(async () => {
  payer = await aPlayer(portal, { coins: 1_000, isActivated: true })
  payee = await aPlayer(portal, { isActivated: true })
})
afterEach(() => expectReconciled(portal))

const lookUp = (name: unknown, { token } = payer): Promise<TestAnswer> =>
  portal.call('POST', '/api/user/transfer/payee', { token, body: { payee: name } })

const recent = async ({ token } = payer) =>
  (await portal.call('GET', '/api/user/transfer/payees', { token })).body as unknown as {
    username: string
  }[]

const nobody = (number: number) => `khongcoai${number}`

/** A refusal without the request's own number. */
const refusal = ({ status, body: { requestId: _own, ...body } }: TestAnswer) => ({ status, body })

async function givenCharacters({ id }: TestPlayer, ...strengths: (readonly [string, number])[]) {
  await portal.db.deleteFrom('game_character').where('user_id', '=', id).execute()
  await portal.db
    .insertInto('game_character')
    .values(
      strengths.map(([name, level], index) => ({
        user_id: id,
        server_id: '1',
        id: `${id}-${index}`,
        name,
        head: level,
        class_id: 1,
        level,
      })),
    )
    .execute()
}

/** What is left of an erased player; the portal's own role may not write it. */
const erase = ({ id }: TestPlayer) =>
  asOwner(portal.ownerUrl, (client) =>
    client.query(`UPDATE users SET erased_at = now(), username = 'da-xoa-' || id WHERE id = $1`, [id]),
  )

describe('a payee', () => {
  test('is shown as a transfer would find them, with the masked name of their strongest character', async () => {
    await givenCharacters(payee, ['Trúc Lâm', 12], ['Hoàng Tuấn', 27], ['Tèo', 3])
    const answer = await lookUp(` ${payee.username.toUpperCase()} `)
    expect([answer.status, answer.body]).toEqual([
      200,
      { username: payee.username, activated: true, character: { name: 'Hoà***', head: 27 } },
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('who is new, poor or banned is not revealed as such', async () => {
    const newcomer = await aPlayer(portal)
    await ban(portal, newcomer)
    await portal.db.deleteFrom('game_character').where('user_id', '=', newcomer.id).execute()
    expect((await lookUp(newcomer.username)).body).toEqual({
      username: newcomer.username,
      activated: false,
      character: null,
    })
  })

  test('who cannot be paid is refused with the text of the transfer', async () => {
    const erased = await aPlayer(portal)
    await erase(erased)
    for (const name of [
      'khongcoai',
      '\u212aienkunai',
      erased.username,
      payer.username.toUpperCase(),
      'abc',
    ]) {
      const refused = await lookUp(name)
      expect([name, refusal(refused)]).toEqual([
        name,
        refusal(await send(portal, payer, { payee: name, amount: 1 })),
      ])
      expect(Object.keys(refused.body.errors ?? {})).toEqual(['payee'])
    }
    expect((await lookUp('khongcoai')).body).toMatchObject({
      code: 'PAYEE_NOT_FOUND',
      errors: { payee: ['Không tìm thấy người nhận'] },
    })
  })

  test('is found by the same statements as nobody', async () => {
    // Settings and maintenance are cached for a while.
    const of = async (name: string) =>
      (await statementsOf(() => lookUp(name))).filter((text) => /rate_limit|"users"/.test(text))
    const right = await of(payee.username)
    const wrong = await of('khongcoai')
    expect(right).toEqual(wrong)
    expect(right.filter((text) => text.includes('"username_key" = $'))).toHaveLength(1)
  })
})

test('whoever may not trade learns no names, by a look-up or a transfer', async () => {
  const newcomer = await aPlayer(portal, { coins: 500 })
  const banned = await aPlayer(portal, { coins: 500, isActivated: true })
  await ban(portal, banned)
  for (const [player, code] of [
    [newcomer, 'NOT_ACTIVATED'],
    [banned, 'BANNED'],
  ] as const) {
    for (const name of [payee.username, 'khongcoai']) {
      expect((await lookUp(name, player)).body.code).toBe(code)
      expect((await send(portal, player, { payee: name, amount: 1 })).body.code).toBe(code)
    }
  }
  await withSettings(portal, { transfer_enabled: 0 }, async () => {
    for (const name of [payee.username, 'khongcoai']) expect((await lookUp(name)).body.code).toBe('DISABLED')
  })
})

describe('names that are looked up', () => {
  /** Looks up nineteen wrong names and a right one. */
  async function useUp(): Promise<void> {
    for (let number = 0; number < 19; number++) expect((await lookUp(nobody(number))).status).toBe(422)
    expect((await lookUp(payee.username)).status).toBe(200)
  }

  function expectUsedUp(answer: TestAnswer): void {
    expect([answer.status, answer.body.code]).toEqual([429, 'RATE_LIMITED'])
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeGreaterThan(3_000)
    expect(seconds).toBeLessThanOrEqual(3_600)
  }

  test('are twenty an hour, right and wrong ones alike; those looked up before are still answered', async () => {
    const other = await aPlayer(portal)
    await useUp()
    for (const name of [other.username, 'khongcoai99']) {
      expectUsedUp(await lookUp(name))
      expectUsedUp(await lookUp(name))
    }
    expect((await lookUp(payee.username)).status).toBe(200)
    expect((await lookUp(nobody(3).toUpperCase())).status).toBe(422)
    expect((await lookUp(other.username, await aPlayer(portal, { isActivated: true }))).status).toBe(200)
  })

  test('come back an hour after the last new one, so that no hour holds more', async () => {
    await lookUp(nobody(50))
    await passMinutes(59)
    for (let number = 0; number < 19; number++) expect((await lookUp(nobody(number))).status).toBe(422)
    await passMinutes(2)
    const refused = await lookUp(payee.username)
    expect([refused.status, Number(refused.headers['retry-after']) > 3_400]).toEqual([429, true])
    await passMinutes(57)
    expect((await lookUp(payee.username)).status).toBe(429)
    await passMinutes(2)
    expect((await lookUp(payee.username)).status).toBe(200)
  })

  const passMinutes = (minutes: number) =>
    sql`UPDATE rate_limit SET expire = expire - ${minutes * 60_000} WHERE starts_with(key, 'payees asked:')`.execute(
      portal.db,
    )

  test('count for every session and every process of the player', async () => {
    await useUp()
    const login = await portal.call('POST', '/api/auth/login', {
      from: payer.address,
      body: { username: payer.username, password: payer.password },
    })
    const token = login.body.access_token as string
    expectUsedUp(await lookUp('khongcoai99', { ...payer, token }))
    const restarted = await startBeside(portal)
    const answer = await restarted.inject({
      method: 'POST',
      url: '/api/user/transfer/payee',
      headers: { authorization: `Bearer ${token}` },
      payload: { payee: 'khongcoai98' },
    })
    expect(answer.statusCode).toBe(429)
    await restarted.close()
  })

  test('are no more when many are looked up at once', async () => {
    const real = await Promise.all(Array.from({ length: 10 }, () => aPlayer(portal)))
    const names = Array.from({ length: 64 }, (_, number) => real[number]?.username ?? nobody(number))
    const answers = await Promise.all(names.map((name) => lookUp(name)))
    expect(answers.filter(({ status }) => status === 200 || status === 422)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(44)
  })

  test('are counted once, and a name beyond them is revealed to none of many calls at once', async () => {
    const same = (name: string) => Promise.all(Array.from({ length: 64 }, () => lookUp(name)))
    expect((await same(payee.username)).filter(({ status }) => status === 200)).toHaveLength(64)
    for (let number = 0; number < 19; number++) await lookUp(nobody(number))
    expect((await same('khongcoai99')).filter(({ status }) => status === 429)).toHaveLength(64)
  })
})

describe('a transfer is no way around the look-up', () => {
  test('wrong names count, and then neither reveals anything of a new one', async () => {
    const other = await aPlayer(portal)
    expect((await send(portal, payer, { payee: payee.username, amount: 100 })).status).toBe(200)
    for (let number = 0; number < 20; number++) {
      const answer = await send(portal, payer, { payee: nobody(number), amount: 1 })
      expect(answer.body.code).toBe('PAYEE_NOT_FOUND')
    }
    for (const name of [other.username, 'khongcoai99']) {
      const refused = await send(portal, payer, { payee: name, amount: 1 })
      expect([name, refused.status, refused.body.code]).toEqual([name, 429, 'RATE_LIMITED'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
      expect((await lookUp(name)).status).toBe(429)
    }
    expect((await send(portal, payer, { payee: nobody(5), amount: 1 })).body.code).toBe('PAYEE_NOT_FOUND')
    // Whom they paid before they know.
    expect((await send(portal, payer, { payee: payee.username, amount: 100 })).status).toBe(200)
    expect(await balances(portal, payer, payee, other)).toEqual([800, 200, 0])
  })

  test('a key whose answer is stored gets it again', async () => {
    const body = { payee: payee.username, amount: 10 }
    const first = await send(portal, payer, body, 'mot-lan')
    for (let number = 0; number < 20; number++) await lookUp(nobody(number))
    for (let number = 0; number < 6; number++) await send(portal, payer, { payee: nobody(number), amount: 1 })
    expect((await send(portal, payer, body, 'mot-lan')).body).toEqual(first.body)
  })

  test('of more than the balance, or less than the smallest amount, reveals nothing of the name', async () => {
    await withSettings(portal, { transfer_min: 10 }, async () => {
      for (const amount of [1, 1_001]) {
        const right = await send(portal, payer, { payee: payee.username, amount })
        const wrong = await send(portal, payer, { payee: 'khongcoai', amount })
        expect(refusal(right)).toEqual(refusal(wrong))
      }
    })
    for (let number = 0; number < 30; number++)
      await send(portal, payer, { payee: nobody(number), amount: 1_001 })
    expect((await lookUp(payee.username)).status).toBe(200)
  })

  test('that would not pay a newcomer’s fee counts, since it reveals that they are new', async () => {
    for (let number = 0; number < 20; number++) {
      const { username } = await aPlayer(portal)
      const answer = await send(portal, payer, { payee: username, amount: 1, activate: true })
      expect(answer.body.code).toBe('VALIDATION')
    }
    expect((await lookUp('khongcoai')).status).toBe(429)
  })

  test('that succeeds costs no name', async () => {
    for (let number = 0; number < 21; number++) {
      const { username } = await aPlayer(portal)
      expect((await send(portal, payer, { payee: username, amount: 1 })).status).toBe(200)
    }
    expect((await lookUp('khongcoai')).status).toBe(422)
  })
})

describe('recent payees', () => {
  test('are the last five, the latest first, each once; whoever only paid is none', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, () => aPlayer(portal)))
    expect(await recent()).toEqual([])
    for (const { username } of [...others, others[2]!])
      await send(portal, payer, { payee: username, amount: 1 })
    await creditPlayer(portal, payee, 10)
    await send(portal, payee, { payee: payer.username, amount: 10 })
    const [, , third, ...rest] = others.map(({ username }) => username)
    expect((await recent()).map(({ username }) => username)).toEqual([
      third,
      ...rest.toReversed(),
      others[1]!.username,
    ])
  })

  test('are shown like a payee who was looked up, and an erased one is left out', async () => {
    await givenCharacters(payee, ['Hoàng Tuấn', 27])
    const newcomer = await aPlayer(portal)
    for (const { username } of [newcomer, payee]) await send(portal, payer, { payee: username, amount: 1 })
    const looked = [(await lookUp(payee.username)).body, (await lookUp(newcomer.username)).body]
    expect(await recent()).toEqual(looked)
    await erase(newcomer)
    expect(await recent()).toEqual(looked.slice(0, 1))
  })

  test('take one statement besides the session’s, and not one that is planned again each time', async () => {
    const sent = await statementsOf(() => recent())
    expect(sent).toHaveLength(2)
    expect(sent[1]).toMatch(/^with "moved"/)
    expect(sent[1]).not.toMatch(/(?:\bselect|\breturning|\.)\s*\*/i)
  })
})
