import { expect, test } from 'vitest'
import { startPagesApp } from './testing/pages-app.ts'

test.each([
  ['/HOME', '/home'],
  ['/%68ome', '/home'],
  ['//home', '/home'],
  ['/home///', '/home'],
  ['/HOME/?code=1&b=ữ', '/home?code=1&b=%E1%BB%AF'],
  ['/Download//iOS', '/download/ios'],
  ['/post/%31', '/post/1'],
  ['/POST/1/', '/post/1'],
  ['/Recharge/Claim', '/recharge/claim'],
  ['/RECHARGE/TCXabc', '/recharge/TCXabc'],
])('%s leads to the one address of its page', async (requested, location) => {
  const { get, renders } = await startPagesApp()
  expect(await get(requested)).toMatchObject({ statusCode: 301, headers: { location } })
  expect((await get(location)).statusCode).toBe(200)
  expect(renders()).toBe(1)
})

test.each([
  ['/search/%C4%90%C3%A8n%20%20L%E1%BB%93ng', '/search/%C4%91%C3%A8n%20l%E1%BB%93ng'],
  ['/search/den-long', '/search/den%20long'],
  ['/Search/a%2Fb', '/search/a%20b'],
])('%s leads to the canonical form of its search', async (requested, location) => {
  const { get } = await startPagesApp()
  expect(await get(requested)).toMatchObject({ statusCode: 301, headers: { location } })
  expect((await get(location)).statusCode).toBe(200)
})

test('a form without scripts leads to the address of its search, and an empty one to the page', async () => {
  const { get } = await startPagesApp()
  expect(await get('/search?q=%C4%90%C3%A8n+l%E1%BB%93ng')).toMatchObject({
    statusCode: 302,
    headers: { location: '/search/%C4%91%C3%A8n%20l%E1%BB%93ng' },
  })
  for (const empty of ['/search?q=', '/search?q=%2F..%2F', '/search?a=1', '/search']) {
    expect((await get(empty)).statusCode, empty).toBe(200)
  }
})

test('no search is cached: visitors could fill the memory with them', async () => {
  const { get, renders } = await startPagesApp()
  await get('/search/den')
  await get('/search/den')
  expect(renders()).toBe(2)
})

test('one client may request so many searches and no more, and other pages are still rendered', async () => {
  const { get } = await startPagesApp()
  const requested = Array.from({ length: 61 }, (_, n) => `/search/tu${n}`)
  const statuses: number[] = []
  for (const path of requested) statuses.push((await get(path)).statusCode)
  expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true)
  expect(statuses[60]).toBe(429)
  expect((await get('/home')).statusCode).toBe(200)
})

test('all unknown addresses are one page, rendered once', async () => {
  const { get, renders, viewed } = await startPagesApp({ render: () => ({ status: 404 }) })
  const bodies = new Set<string>()
  for (const path of [
    '/a',
    '/b',
    '/A',
    '/c/d',
    '/download/x',
    '//',
    '///',
    '/%5C',
    '//[',
    '/%00',
    '/unknown-address',
  ]) {
    const answer = await get(path)
    expect(answer.statusCode, path).toBe(404)
    bodies.add(answer.body)
  }
  expect([renders(), bodies.size, viewed]).toEqual([1, 1, []])
})

test('posts with malformed ids are one page too', async () => {
  const { get, renders } = await startPagesApp({ render: () => ({ status: 404 }) })
  for (const id of ['x', '0', '01', '1.5', '-1', '%20', '1%2F2', '9'.repeat(19)]) {
    expect((await get(`/post/${id}`)).statusCode, id).toBe(404)
  }
  expect(renders()).toBe(1)
})

test('a player’s page is the same for all players and does not depend on parameters', async () => {
  const rendered: string[] = []
  const { get } = await startPagesApp({
    render: (url) => {
      rendered.push(url)
      return {}
    },
  })
  for (const path of [
    '/recharge/TCX1',
    '/recharge/TCX2',
    '/recharge/claim',
    '/password',
    '/password/a',
    '/password/b',
  ])
    expect((await get(path)).statusCode).toBe(200)
  expect(rendered).toEqual(['/recharge/code', '/recharge/claim', '/password', '/password/token'])
})
