import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'

const portal = useTestApp()
let owner: TestOperator
let player: TestPlayer
let code: string
let deliveryId: string

beforeAll(async () => {
  await openAccounts(portal)
  owner = await anOperator(portal, 'owner')
  player = await aPlayer(portal, {
    username: 'thamlan99',
    phone: '0987654321',
    coins: 50_000,
    isActivated: true,
  })
  code = (await anOrder(portal, player)).code
  await deliver(portal, aNotification({ content: 'khong co ma', referenceCode: 'FT260101ABC' }))
  const [character = ''] = await charactersOf(portal, player)
  deliveryId = await buyLuongFor(portal, { player, character })
  await portal.call('POST', '/api/operator/posts', {
    token: owner.token,
    body: { title: 'Lễ hội Trăng rằm 100%', content: '<p>Vui.</p>', reason: 'Đăng bài' },
  })
  await portal.db
    .insertInto('game_character')
    .values({
      user_id: player.id,
      id: 'x1',
      server_id: '1',
      name: 'KiemKhach',
      head: 1,
      class_id: 1,
      level: 9,
    })
    .execute()
})

const search = (q: string, { token } = owner) =>
  portal.call('GET', `/api/operator/search?q=${encodeURIComponent(q)}`, { token })
const found = async (q: string, by = owner) => {
  const { body } = await search(q, by)
  return (body as { kind: string; ref: string; title: string }[]).map(({ kind, ref }) => [kind, ref])
}

test('one box finds players, characters, orders, bank references, deliveries and posts', async () => {
  expect(await found('ThamL')).toEqual([['user', player.id]])
  expect(await found('0987 654 321')).toEqual([['user', player.id]])
  expect(await found('kiemkh')).toEqual([['character', player.id]])
  expect(await found(code.slice(0, 9).toLowerCase())).toEqual([['order', code]])
  expect(await found(`CK den tu ${code} nap the`)).toEqual([['order', code]])
  expect((await found('ft260101abc')).map(([kind]) => kind)).toEqual(['bank-transfer'])
  expect(await found(deliveryId.slice(0, 13))).toEqual([['delivery', deliveryId]])
  expect((await found('trăng RẰM 100%')).map(([kind]) => kind)).toEqual(['post'])
  expect(await found('%%%')).toEqual([])
})

test('the shortest name, which is the one that was typed whole, stands first, and ten are enough', async () => {
  for (let number = 0; number < 11; number++) await aPlayer(portal, { username: `lanlan${number + 10}` })
  await aPlayer(portal, { username: 'lanlan' })
  const names = ((await search('lanlan')).body as { title: string }[]).map(({ title }) => title)
  expect([names.length, names[0]]).toEqual([10, 'lanlan'])
})

test('an operator finds only what they may read', async () => {
  const editor = await anOperator(portal, 'editor')
  expect(await found('thaml', editor)).toEqual([])
  expect(await found(code, editor)).toEqual([])
  expect((await found('trăng rằm', editor)).map(([kind]) => kind)).toEqual(['post'])
  const support = await anOperator(portal, 'support')
  expect((await found('trăng rằm', support)).length).toBe(0)
  expect(await found(deliveryId, support)).toEqual([['delivery', deliveryId]])
})

test.each(['', 'ab', 'x'.repeat(101), '\u0000\u0000\u0000'])('%o is not searched for', async (q) => {
  expect((await search(q)).status).toBe(422)
})
