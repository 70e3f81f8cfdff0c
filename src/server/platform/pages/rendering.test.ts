import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startPagesApp } from './testing/pages-app.ts'

test('renderings per address are limited, pages from the cache are not', async () => {
  const { get } = await startPagesApp()
  for (let id = 1; id <= 240; id++) expect((await get(`/post/${id}`)).statusCode).toBe(200)
  const refused = await get('/post/241')
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.headers['content-security-policy']).toContain("default-src 'self'")
  expect(refused.body).toContain('Bạn thao tác quá nhanh, vui lòng thử lại sau ít phút')
  expect((await get('/post/240')).statusCode).toBe(200)
  expect((await get('/post/241', {}, '10.1.1.1')).statusCode).toBe(200)
})

test('so many pages are rendered at once, so many wait, and the next visitor gets Retry-After', async () => {
  const gate = Promise.withResolvers<object>()
  let most = 0
  let running = 0
  const { get } = await startPagesApp({
    render: async () => {
      most = Math.max(most, ++running)
      await gate.promise
      running--
      return {}
    },
  })
  const requests = Array.from({ length: 64 }, (_, index) => get(`/post/${index + 1}`))
  await sleep(50)
  const refused = await get('/post/65')
  expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } })
  expect(refused.body).toContain('Hệ thống đang bận, vui lòng thử lại sau giây lát')
  const joined = get('/post/1')
  gate.resolve({})
  const answers = await Promise.all([...requests, joined])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 65 }, () => 200))
  expect(most).toBe(4)
})

test('while a page cannot be rendered, its last good copy is sent; without one, an error with Retry-After', async () => {
  let fault: Error | undefined
  const { get, pages, renders } = await startPagesApp({
    render: () => {
      if (fault) throw fault
      return {}
    },
  })
  const good = await get('/home')
  pages.drop(['settings'])
  fault = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(await get('/home')).toMatchObject({ statusCode: 200, body: good.body })
  expect(await get('/home')).toMatchObject({ statusCode: 200, body: good.body })
  // Not every visitor waits for another failure.
  expect(renders()).toBe(2)
  const other = await get('/post/1')
  expect(other).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1' } })
  expect(other.body).not.toContain('connect')
  fault = undefined
  pages.drop(['settings'])
  expect((await get('/home')).body).toContain('render 4')
})

test('missing data does not remove the last good copy; a 404 does', async () => {
  let status = 200
  const { get, pages } = await startPagesApp({ render: () => ({ status }) })
  const good = await get('/post/1')
  status = 503
  pages.drop(['settings'])
  expect(await get('/post/1')).toMatchObject({ statusCode: 200, body: good.body })
  status = 404
  pages.drop(['settings'])
  expect((await get('/post/1')).statusCode).toBe(404)
  status = 503
  expect((await get('/post/1')).statusCode).toBe(503)
})
