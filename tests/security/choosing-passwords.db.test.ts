import { hash } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect } from 'vitest'
import { type TestAnswer, useTestApp } from '#tests/support/app.ts'
import { testWith } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'

const portal = useTestApp()
const test = testWith(portal)

let count = 0
function register(password: string, username = `chonmatkhau${++count}`): Promise<TestAnswer> {
  const phone = `0978${String(100_000 + count)}`
  return portal.call('POST', '/api/auth/register', { body: { username, phone, password, name: username } })
}
const login = (username: string, password: string) =>
  portal.call('POST', '/api/auth/login', { body: { username, password } })
const change = ({ token, password: current_password }: TestPlayer, password: string) =>
  portal.call('POST', '/api/user/change-password', { token, body: { current_password, password } })

const refused = ({ status, body }: TestAnswer) => [status, body.code, Object.keys(body.errors ?? {})]
const REFUSED = [422, 'VALIDATION', ['password']]

const common = dictionary['passwords-common'].filter(({ length }) => length >= 6 && length <= 20)

describe('security row 01: a password that everybody guesses first', () => {
  test('is refused to a new player, with a sentence at the field', async () => {
    for (const password of [common[0]!, common[99]!, common[2_999]!, 'matkhau123', 'P@ssw0rd', 'AnhYeuEm']) {
      const answer = await register(password)
      expect(refused(answer), password).toEqual(REFUSED)
      expect(answer.body.errors.password).toEqual(['Mật khẩu này quá phổ biến, vui lòng chọn mật khẩu khác'])
    }
  })

  test('is refused to a player who changes theirs: every tenth of the 3,000 most common ones', async ({
    player,
  }) => {
    const accepted: string[] = []
    // A unit test checks that the list is complete; this one checks that the portal uses it.
    for (const password of common.slice(0, 3_000).filter((_, index) => index % 10 === 0)) {
      if (String(refused(await change(player, password))) !== String(REFUSED)) accepted.push(password)
    }
    expect(accepted).toEqual([])
    expect((await login(player.username, player.password)).status).toBe(200)
  })

  test('may not be the player’s own name, in whatever case', async () => {
    expect(refused(await register('TenCuaToi9', 'tencuatoi9'))).toEqual(REFUSED)
    const player = await aPlayer(portal)
    expect(refused(await change(player, player.username.toUpperCase()))).toEqual(REFUSED)
  })
})

describe('security row 02: a password is what was typed and nothing else', () => {
  const passwords = ['  canh tre làng  ', 'ninja🥷ninja🥷nin', 'NGUYÊN-hoa-và-thường', '12345678901234567x90']

  test.each(passwords)(
    '%j lets in, in either form of its marks, and nothing close to it does',
    async (password) => {
      const username = `nguyenven${++count}`
      expect((await register(password, username)).status).toBe(201)
      for (const form of [password, password.normalize('NFD')])
        expect((await login(username, form)).status).toBe(200)
      const near = new Set([
        password.trim(),
        password.slice(0, -1),
        `${password} `.slice(0, 20),
        password.toLowerCase(),
        password.toUpperCase(),
      ])
      near.delete(password)
      expect(near.size).toBeGreaterThan(1)
      for (const other of near) expect((await login(username, other)).status, other).toBe(422)
    },
  )

  test('one of more than twenty characters is refused, not cut', async () => {
    expect(refused(await register('123456789012345678901'))).toEqual(REFUSED)
    const player = await aPlayer(portal)
    expect(refused(await change(player, '123456789012345678901'))).toEqual(REFUSED)
  })
})

describe('security row 03: changing a password needs the current one', () => {
  test('without the current one, or with a wrong one, nothing changes', async ({ player }) => {
    const bodies = [
      { password: 'mat-khau-moi' },
      { current_password: '', password: 'mat-khau-moi' },
      { current_password: null, password: 'mat-khau-moi' },
      { current_password: 'sai-mat-khau', password: 'mat-khau-moi' },
    ]
    for (const body of bodies) {
      const answer = await portal.call('POST', '/api/user/change-password', { token: player.token, body })
      expect(answer.status, JSON.stringify(body)).toBe(422)
    }
    expect((await login(player.username, 'mat-khau-moi')).status).toBe(422)
    expect((await login(player.username, player.password)).status).toBe(200)
  })

  test('no token, no change', async ({ player }) => {
    const body = { current_password: player.password, password: 'mat-khau-moi' }
    expect((await portal.call('POST', '/api/user/change-password', { body })).status).toBe(401)
    expect((await login(player.username, player.password)).status).toBe(200)
  })
})

describe('security row 45: what is stored of a password', () => {
  const storedHash = async (userId: string) =>
    (
      await portal.db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
    ).password_hash

  test('is an argon2id hash of at least 19 MiB and two passes, salted', async () => {
    const [one, other] = [await aPlayer(portal), await aPlayer(portal)]
    const hashes = [await storedHash(one.id), await storedHash(other.id)]
    await change(one, 'mat-khau-moi')
    hashes.push(await storedHash(one.id))
    for (const stored of hashes) {
      const [, memory, passes, lanes] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(stored) ?? []
      expect(Number(memory)).toBeGreaterThanOrEqual(19 * 1024)
      expect([Number(passes) >= 2, lanes]).toEqual([true, '1'])
    }
    // The first two players chose the same password.
    expect(new Set(hashes).size).toBe(3)
  })

  test('is computed again at a login when it was made with weaker parameters', async ({ player }) => {
    const weak = await hash(player.password, { memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 })
    await portal.db.updateTable('users').set({ password_hash: weak }).where('id', '=', player.id).execute()
    expect((await login(player.username, 'sai-mat-khau')).status).toBe(422)
    expect(await storedHash(player.id)).toBe(weak)
    expect((await login(player.username, player.password)).status).toBe(200)
    expect(await storedHash(player.id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await login(player.username, player.password)).status).toBe(200)
  })
})
