import { expect, test } from 'vitest'
import { renderPage } from '#web/entry-server.tsx'

const post = {
  id: '7',
  title: 'Hội đèn lồng',
  new: true,
  views: 12345,
  created_at: '2026-11-20T17:05:00.000Z',
  excerpt: 'Tóm tắt của bài',
  cover: '/images/covers/den-long',
  category_ids: ['2'],
}

const answers: Record<string, unknown> = {
  '/api/settings': { site_name: 'Tinh Hoa Ninja', site_description: 'Trang chính thức' },
  '/api/posts?limit=6': [post, { ...post, id: '8', title: 'Bài khác' }],
  '/api/posts/7': { ...post, content: '<h2>Đêm hội</h2>', author: 'Admin', updated_at: post.created_at },
  '/api/categories': [{ id: '2', title: 'Sự kiện', description: 'Lễ hội' }],
}

/** What the page has read, in the order of its state, when the calls that begin with `slow` are answered last. */
async function readsWith(slow: string) {
  const { state } = await renderPage({
    publicUrl: 'https://ninja.example.com',
    url: '/post/7',
    transport: async ({ url }) => {
      if (url.startsWith(slow)) await new Promise((resolve) => setTimeout(resolve, 5))
      return { status: 200, text: JSON.stringify(answers[url]) }
    },
  })
  return state.reads.map(([key]) => key)
}

test('the state lists what a page has read in the same order, whichever answer came first', async () => {
  const order = await readsWith('/api/settings')
  expect(order).toHaveLength(4)
  expect(await readsWith('/api/posts')).toEqual(order)
})

test('a page fails as a whole with the error of its section, so that no half of it is cached', async () => {
  const rendering = renderPage({
    publicUrl: 'https://ninja.example.com',
    url: '/post/7',
    transport: async ({ url }) => ({
      status: 200,
      text: JSON.stringify(url === '/api/posts?limit=6' ? [null] : answers[url]),
    }),
  })
  await expect(rendering).rejects.toThrow(TypeError)
})
