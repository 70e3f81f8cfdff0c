import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { renderPage } from '#web/entry-server.tsx'

/** Whether pages are drawn in one go, without parts that are kept. */
const drawing = vi.hoisted(() => ({ isWhole: false }))

vi.mock('#web/drawing.tsx', async (load) => {
  const { drawInParts } = await load<typeof import('#web/drawing.tsx')>()
  return {
    drawInParts: (...[page, around]: Parameters<typeof drawInParts>) =>
      drawing.isWhole ? renderToString(around(page)) : drawInParts(page, around),
  }
})

const post = {
  id: '7',
  title: 'Hội đèn lồng <mở cửa>',
  new: true,
  views: 12345,
  created_at: '2026-11-20T17:05:00.000Z',
  excerpt: 'Tóm tắt của bài',
  cover: '/images/covers/den-long',
  category_ids: ['2'],
}
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...post, id: String(900 - n) }))
const read = { ...post, content: '<h2>Đêm hội</h2>', author: 'Admin', updated_at: post.created_at }
const category = { id: '2', title: 'Sự kiện', description: 'Lễ hội' }
const tournament = {
  id: '9',
  name: 'Giải',
  registration_start_at: '2020-01-01T00:00:00.000Z',
  competition_start_at: '2999-01-01T00:00:00.000Z',
  current_round: 0,
  winner: null,
  cancelled_at: null,
}
const settings = { site_name: 'Tinh Hoa Ninja', site_description: 'Trang chính thức', home_intro: 'Xin chào' }

const answers: Record<string, unknown> = {
  '/api/settings': settings,
  '/api/posts?limit=13': [post],
  '/api/posts?limit=6': [post, { ...post, id: '8', title: 'Bài khác' }],
  '/api/posts/7': read,
  '/api/categories': [category, { ...category, id: '3', title: 'Hướng dẫn' }],
  '/api/tournaments': [tournament],
  '/api/posts?limit=25&search=den+long': [post],
  '/api/categories/2': { ...category, posts: [post] },
}

const settingsOf = (more: object) => ({
  '/api/settings': { ...(answers['/api/settings'] as object), ...more },
})

const answerOf = (all: Record<string, unknown>, url: string) =>
  url in all
    ? { status: 200, text: JSON.stringify(all[url]) }
    : { status: 404, text: '{"code":"X","message":"x"}' }

test('pages are drawn from kept parts as they would be drawn whole, whatever was drawn before', async () => {
  const contents: Record<string, unknown>[] = [
    {},
    settingsOf({ site_name: 'Khác', age_class: '18+', logo_center: '1', site_description: 'Lời khác' }),
    settingsOf({ pixel_id: '123', exchange_bonus: '20', server_opening: 'Máy 5', seller: 'Công ty' }),
    settingsOf({ maintenance: 'Đang đóng', home_intro: '' }),
    {
      '/api/posts?limit=13': many(13),
      '/api/posts?limit=6': many(6),
      '/api/categories/2': { ...category, posts: many(50) },
    },
    { '/api/posts?limit=13': [{ ...post, title: 'Đổi tên', views: 3 }] },
    {
      '/api/posts/7': { ...read, content: '<p>Sửa</p>', category_ids: ['3'] },
    },
    { '/api/categories': [{ id: '3', title: 'Hướng dẫn mới', description: 'Đổi' }] },
    { '/api/tournaments': [] },
  ]
  const urls = [
    '/home',
    '/post/7',
    '/post/999',
    '/category/2',
    '/search/den%20long',
    '/recharge',
    '/download',
  ]
  for (const content of [...contents, ...contents]) {
    for (const url of [...urls, '/user/profile', '/gem-calculator', '/khong/co']) {
      const all = { ...answers, ...content }
      const transport = async (call: { url: string }) => answerOf(all, call.url)
      const inParts = await renderPage({ publicUrl: 'https://ninja.example.com', url, transport })
      drawing.isWhole = true
      const whole = await renderPage({ publicUrl: 'https://ninja.example.com', url, transport }).finally(
        () => (drawing.isWhole = false),
      )
      expect(inParts.html).toBe(whole.html)
    }
  }
})

test('what a page has read is told in the same order, whichever answer came first', async () => {
  const reads = async (slow: string) => {
    const { state } = await renderPage({
      publicUrl: 'https://ninja.example.com',
      url: '/post/7',
      transport: async (call) => {
        if (call.url.startsWith(slow)) await new Promise((resolve) => setTimeout(resolve, 5))
        return answerOf(answers, call.url)
      },
    })
    return state.reads.map(([key]) => key)
  }
  const order = await reads('/api/settings')
  expect(order).toHaveLength(4)
  expect(await reads('/api/posts')).toEqual(order)
})
