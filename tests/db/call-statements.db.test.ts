import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer } from '#tests/support/players.ts'
import { statementsOf as allStatementsOf } from '#tests/support/postgres.ts'

/*
 * How many statements the calls take that players' pages make all the time; those of a purchase are counted where
 * purchases are tested. Measured by `npm run bench -- calls`.
 */
const portal = useTestApp()
/** None is of the kind that a server plans again each time it comes (`named-statements.ts`): that is most of its cost. */
async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const sent = await allStatementsOf(act)
  for (const text of sent) expect(text).not.toMatch(/(?:\bselect|\breturning|\.)\s*\*|\blike\b|~/i)
  return sent
}

/** What is cached for all players, such as what is closed for maintenance, is there already. */
beforeAll(async () => {
  await portal.call('GET', '/api/posts')
})

/** A session that this process has not cached yet. */
const aNewcomer = () => aPlayer(portal, { coins: 1_000 })

test('the list of posts takes none', async () => {
  expect(await statementsOf(() => portal.call('GET', '/api/posts'))).toEqual([])
})

test('verify takes one, with the session, the account, its rights and what was agreed to', async () => {
  const { token } = await aNewcomer()
  const verify = (call: { token?: string }) =>
    portal.call('POST', '/api/auth/verify', { ...call, body: { access_token: token } })
  for (const call of [{}, { token }, {}])
    expect(await statementsOf(async () => expect((await verify(call)).status).toBe(200))).toHaveLength(1)
})

test('a page of a statement takes two, and one while the session is known', async () => {
  const { token } = await aNewcomer()
  const page = () => portal.call('GET', '/api/user/transactions', { token })
  const of = () => statementsOf(async () => expect((await page()).body.data).toHaveLength(1))
  expect(await of()).toHaveLength(2)
  expect(await of()).toHaveLength(1)
})
