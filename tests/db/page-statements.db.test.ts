import { expect, test } from 'vitest'
import { contentWatchOf } from '#server/domain/content.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator } from '#tests/support/operators.ts'
import { statementsOf } from '#tests/support/postgres.ts'

/* How many statements a page takes that has to be rendered; its cost is measured by `npm run bench -- pages`. */
const portal = useTestApp({ overrides: { withPages: true } })

const open = async (url: string) => expect((await portal.app.inject({ url })).statusCode).toBe(200)
const changed = (kind: 'posts' | 'categories') => contentWatchOf(portal.db)?.announce([kind])

test('after a change of posts home takes one, and a post one besides what it shares with others', async () => {
  const { token } = await anOperator(portal, 'editor')
  const ids: string[] = []
  for (const title of ['Một', 'Hai']) {
    const body = { title, content: '<p>Chữ</p>', reason: 'Đăng bài' }
    ids.push((await portal.call('POST', '/api/operator/posts', { token, body })).body.id as string)
  }
  await open('/home')
  changed('posts')
  expect(await statementsOf(() => open('/home'))).toHaveLength(1)
  changed('categories')
  expect(await statementsOf(() => open('/home'))).toHaveLength(1)
  changed('posts')
  // The post, which posts there are, and the list below it.
  expect(await statementsOf(() => open(`/post/${ids[0]}`))).toHaveLength(3)
  expect(await statementsOf(() => open(`/post/${ids[1]}`))).toHaveLength(1)
  expect(await statementsOf(() => open('/home'))).toHaveLength(1)
  expect(await statementsOf(() => open('/home'))).toEqual([])
})
