import { expect, test } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { sendCase } from '#tests/support/cases.ts'
import { aPlayer } from '#tests/support/players.ts'

// Programs outside the portal use these names: a field may be added, none renamed or removed.

const portal = useTestApp()

test('a case and the notices of a player have the fields that other programs read', async () => {
  await openAccounts(portal)
  const player = await aPlayer(portal)
  const { code } = await anOrder(portal, player)
  const sent = await sendCase(portal, player, { kind: 'order', id: code, text: 'Chưa thấy tiền' })
  expect(sent).toMatchObject({
    status: 201,
    body: {
      id: expect.stringMatching(/^\d+$/),
      about: { kind: 'order', id: code, title: expect.any(String) },
      state: 'open',
      messages: [{ author: 'player', text: 'Chưa thấy tiền', pictures: [], created_at: expect.any(String) }],
    },
  })
  const event = { event: 'password-changed', subject: 'names', data: {} } as const
  await inTransaction(portal.db, (tx) => addNotice(tx, player.id, event))
  const read = (path: string) => portal.call('GET', `/api/notices${path}`, { token: player.token })
  const { body } = await read('')
  expect(body).toMatchObject({
    data: expect.arrayContaining([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: 'security',
        title: expect.any(String),
        text: expect.any(String),
        href: expect.stringMatching(/^\//),
        created_at: expect.any(String),
        read: false,
      },
    ]),
    payload: { unread: expect.any(Number), after: null },
  })
  const [newest] = body.data
  const marked = await portal.call('POST', '/api/notices/read', {
    token: player.token,
    body: { until: newest.id },
  })
  expect(marked.body).toEqual({ unread: 0 })
  expect((await read(`?after=${newest.id}`)).body.data).not.toContainEqual(newest)
})
