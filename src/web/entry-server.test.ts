import { hydrate } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { paths } from '#contract/pages.ts'
import type { Transport } from '#contract/rendered-page.ts'
import { renderPage as renderAt } from '#web/entry-server.tsx'
import { createPortalClient } from '#web/query-client.ts'
import { preparePage } from '#web/router.tsx'
import { waitText } from '#web/features/tournaments/schedule.ts'
import { tournament } from '#web/features/tournaments/testing/tournament.ts'

const publicUrl = 'https://ninja.example.com'
const renderPage = (input: { url: string; transport: Transport }) => renderAt({ ...input, publicUrl })

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

const answers: Record<string, unknown> = {
  '/api/servers': [{ id: '1', name: 'Trúc Lâm' }],
  '/api/settings': {
    site_name: 'Tinh Hoa Ninja',
    site_description: 'Trang chính thức',
    home_intro: 'Xin chào\n\nMời vào <b>',
  },
  '/api/posts?limit=13': [post],
  '/api/posts?limit=6': [post, { ...post, id: '8', title: 'Bài khác' }],
  '/api/posts/7': { ...post, content: '<h2>Đêm hội</h2>', author: 'Admin', updated_at: post.created_at },
  '/api/categories': [
    { id: '2', title: 'Sự kiện', description: 'Lễ hội' },
    { id: '3', title: 'Hướng dẫn', description: 'Từng bước' },
  ],
  '/api/tournaments': [
    tournament({
      id: '9',
      name: 'Giải',
      registration_start_at: '2020-01-01T00:00:00.000Z',
      competition_start_at: '2999-01-01T00:00:00.000Z',
      current_round: 0,
      team_count: 12_345,
    }),
  ],
  '/api/categories/2': { id: '2', title: 'Sự kiện', description: 'Lễ hội', posts: [post] },
}

function server(overrides: Record<string, number> = {}) {
  const requested: string[] = []
  const transport: Transport = async ({ url }) => {
    requested.push(url)
    const status = overrides[url] ?? (url in answers ? 200 : 404)
    return { status, text: JSON.stringify(status === 200 ? answers[url] : { code: 'X', message: 'x' }) }
  }
  return { transport, requested }
}

const render = (url: string, overrides?: Record<string, number>) =>
  renderPage({ url, transport: server(overrides).transport })

test('home holds the titles and links of the newest posts and the categories, and no inline style', async () => {
  const { status, head, html, state } = await render('/home')
  expect(status).toBe(200)
  expect(head).toMatchObject({
    title: 'Tinh Hoa Ninja',
    siteName: 'Tinh Hoa Ninja',
    description: 'Trang chính thức',
  })
  expect(html).toContain('Hội đèn lồng &lt;mở cửa&gt;')
  expect(html).toContain('href="/post/7"')
  expect(html).toContain('href="/category/2"')
  expect(html).toContain('<p>Xin chào</p><p>Mời vào &lt;b&gt;</p>')
  expect(html).not.toMatch(/\sstyle=|<style|<script/)
  expect(JSON.stringify(state)).toContain('Hội đèn lồng')
})

test('home shows the next tournament with the shown fields only, and is complete without one', async () => {
  const { html, state } = await render('/home')
  expect(html).toContain('href="/tournament/9"')
  expect(JSON.stringify(state)).not.toContain('team_count')
  const without = await render('/home', { '/api/tournaments': 503 })
  expect(without.status).toBe(200)
  expect(without.html).toContain('href="/post/7"')
})

test('home names the servers of the game, and says nothing of them while there are none', async () => {
  expect((await render('/home')).html).toContain('máy chủ: ')
  const transport: Transport = async (call) =>
    call.url === '/api/servers' ? { status: 200, text: '[]' } : server().transport(call)
  const { html } = await renderPage({ url: '/home', transport })
  expect(html).toContain('href="/post/7"')
  expect(html).not.toContain('máy chủ: ')
})

test('a post shows its title, its time in Vietnam, its views, its author and its text', async () => {
  const { status, head, html } = await render('/post/7')
  expect(status).toBe(200)
  expect(html).toMatch(/<h1[^>]*>Hội đèn lồng &lt;mở cửa&gt;<\/h1>/)
  expect(html).toContain('21/11/2026 00:05')
  expect(html).toMatch(/12,345[^0-9]*lượt xem/)
  expect(html).toContain('Admin')
  expect(html).toContain('<h2>Đêm hội</h2>')
  expect(head).toMatchObject({
    title: 'Hội đèn lồng <mở cửa>',
    description: 'Tóm tắt của bài',
    image: expect.stringMatching(/^\/share\/post-7\.png\?v=\w+-12$/),
    kind: 'article',
  })
})

test('a category shows its posts and the other categories', async () => {
  const { html } = await render('/category/2')
  expect(html).toContain('href="/post/7"')
  expect(html).toContain('href="/category/3"')
  expect(html.split('href="/category/2"')).toHaveLength(2)
})

const many = (count: number) => Array.from({ length: count }, (_, n) => ({ ...post, id: String(900 - n) }))

const renderWith = (more: Record<string, unknown>, url: string) =>
  renderPage({
    url,
    transport: async (request) =>
      request.url in more
        ? { status: 200, text: JSON.stringify(more[request.url]) }
        : server().transport(request),
  })

const category = (count: number) => ({
  '/api/categories/2': { id: '2', title: 'Sự kiện', description: 'Lễ hội', posts: many(count) },
})

test.each([
  ['/home', { '/api/posts?limit=13': many(13) }, 'href="/home/889"', 'href="/post/888"'],
  ['/category/2', category(50), 'href="/category/2/852"', 'href="/post/851"'],
  ['/home/990', { '/api/posts?limit=25&before=990': many(25) }, 'href="/home/877"', 'href="/post/876"'],
])('%s leads to older posts from the last one it shows', async (url, more, older, hidden) => {
  const { html } = await renderWith(more, url)
  expect(html).toContain('Xem bài cũ hơn')
  expect(html).toContain(older)
  expect(html).not.toContain(hidden)
})

test.each([
  ['/home', { '/api/posts?limit=13': many(12) }, 'href="/post/889"'],
  ['/category/2', category(49), 'href="/post/852"'],
  ['/home/990', { '/api/posts?limit=25&before=990': many(24) }, 'href="/post/877"'],
])('%s that shows all there is leads no further', async (url, more, last) => {
  const { html } = await renderWith(more, url)
  expect(html).toContain(last)
  expect(html).not.toContain('Xem bài cũ hơn')
})

test('older posts are a page of their own, which leads on and back', async () => {
  const { status, html, head } = await renderWith(
    { '/api/posts?limit=25&before=889&category=2': many(25) },
    '/category/2/889',
  )
  expect(status).toBe(200)
  expect(html).toContain('Sự kiện: bài cũ hơn')
  expect(html).toContain('href="/category/2/877"')
  expect(html).toContain('href="/category/2"')
  expect(head).not.toHaveProperty('isIndexable')
})

test('before the oldest post there is nothing, and nothing for search engines', async () => {
  const { status, html, head } = await renderWith({ '/api/posts?limit=25&before=1': [] }, '/home/1')
  expect(status).toBe(200)
  expect(html).toContain('Không còn bài nào cũ hơn.')
  expect(head.isIndexable).toBe(false)
  expect((await render(`${paths.home}/abc`)).status).toBe(404)
})

const duel = tournament({ id: '4', type: 1 })

test('a match for the third place waits for those who lose', async () => {
  const open = {
    position: 1,
    team1_id: null,
    team2_id: null,
    team_one: null,
    team_two: null,
    team1_win_count: 0,
    team2_win_count: 0,
    winning_team_id: null,
  }
  const show = async (round: number) => {
    const answer = { tournament: duel, matches: [{ ...open, id: '1', round }] }
    return (await renderWith({ '/api/tournaments/brackets/4': answer }, '/tournament/4')).html
  }
  const third = await show(2)
  expect(third).toContain('Chờ đội thua')
  expect(third).not.toContain('Chờ đội thắng')
  expect(await show(3)).toContain('Chờ đội thắng')
})

test('what counts down starts at the time that the browser receives, however late the answer came', async () => {
  const starts_ms = Date.now() + 3_600_000
  const competition_start_at = new Date(starts_ms).toISOString()
  const answer = { tournament: { ...duel, current_round: 0, competition_start_at }, matches: [] }
  const { html, state } = await renderPage({
    url: '/tournament/4',
    transport: async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      return call.url === '/api/tournaments/brackets/4'
        ? { status: 200, text: JSON.stringify(answer) }
        : server().transport(call)
    },
  })
  const bracket = state.queries.find(({ queryKey }) => queryKey.includes('/tournaments/brackets/{id}'))
  expect(html).toContain(waitText(starts_ms - (bracket?.state.dataUpdatedAt ?? 0)))
})

test.each(['/post/999', '/category/999'])(
  'what is missing at %s is a 404 with the not-found page',
  async (url) => {
    const title = 'Trang bạn đang tìm không tồn tại'
    const html = expect.stringContaining(title)
    expect(await render(url)).toMatchObject({ status: 404, head: { title, isIndexable: false }, html })
  },
)

test('a read without an answer is not a missing page', async () => {
  const title = 'Có lỗi xảy ra, vui lòng thử lại'
  const html = expect.stringContaining(title)
  const page = await render('/post/7', { '/api/posts/7': 500 })
  expect(page).toMatchObject({ status: 503, head: { title, isIndexable: false }, html })
})

test('without settings a page still shows, under the default name', async () => {
  const { status, head } = await render('/post/7', { '/api/settings': 500 })
  expect(status).toBe(200)
  expect(head.siteName).toBe('Cổng Ninja')
})

test('the sandbox is a page in a demo only; elsewhere it does not exist', async () => {
  expect((await render('/sandbox')).status).toBe(404)
  const { transport } = server()
  const settings = { ...(answers['/api/settings'] as object), demo: '1' }
  const demo = await renderPage({
    url: '/sandbox',
    transport: async (call) =>
      call.url === '/api/settings' ? { status: 200, text: JSON.stringify(settings) } : transport(call),
  })
  expect([demo.status, demo.head.isIndexable]).toEqual([200, false])
  expect((await render('/sandbox', { '/api/settings': 500 })).status).toBe(503)
})

test('the logo stands in the middle of the header when the setting is on', async () => {
  const { transport } = server()
  const settings = answers['/api/settings'] as Record<string, string>
  const headerOf = async (logo_center: string) => {
    const { html } = await renderPage({
      url: '/post/7',
      transport: async (call) =>
        call.url === '/api/settings'
          ? { status: 200, text: JSON.stringify({ ...settings, logo_center }) }
          : transport(call),
    })
    return /<header[^>]*>/.exec(html)?.[0]
  }
  expect(await headerOf('1')).toContain('is-centered')
  expect(await headerOf('0')).not.toContain('is-centered')
})

test.each([
  ['/404', 404],
  ['/khong/co', 404],
  ['/login', 200],
  ['/user/profile', 200],
  ['/recharge', 200],
])('%s answers %i with the shell, not for search engines', async (url, expected) => {
  const { status, head, html } = await render(url)
  expect(status).toBe(expected)
  expect(head.isIndexable).toBe(false)
  expect(html).toContain('Trang chủ')
  expect(html).toContain('180 phút')
})

test('the server requests nothing that belongs to a player', async () => {
  const { transport, requested } = server()
  await renderPage({ url: '/user/transactions', transport })
  expect(requested.toSorted()).toEqual([
    '/api/categories',
    '/api/posts?limit=13',
    '/api/servers',
    '/api/settings',
    '/api/tournaments',
  ])
})

test.each(['/ranking', '/login', '/password/abc'])(
  'a visitor of %s sees the home page at once',
  async (url) => {
    const { html, head, part, more, isOfPlayers } = await render(url)
    expect(html).toContain('href="/post/7"')
    expect(part).toBe('home.page')
    expect(more).toContain('redirect-pages')
    expect(head.title).not.toBe('Tinh Hoa Ninja')
    expect(isOfPlayers).toBe(url === '/ranking')
    expect(html.includes('<div class="while-anonymous"><!--$--><section')).toBe(isOfPlayers)
    expect(html.includes('class="while-signed-in"><div class="shell-width')).toBe(isOfPlayers)
  },
)

test('a page of players is not refused when the home page cannot be read', async () => {
  const { status, html, state } = await render('/ranking', { '/api/posts?limit=13': 500 })
  expect(status).toBe(200)
  expect(html).toContain('aria-busy="true"')
  expect(html).not.toContain('href="/post/7"')
  expect(state).toMatchObject({ failure: 503 })
})

test('the browser uses what the server has read, and does not read it again', async () => {
  const { state } = await render('/home')
  const call = vi.fn(() => Promise.reject(new Error('No call is expected')))
  const client = createPortalClient({ call })
  hydrate(client, state)
  await preparePage(client, '/home')
  expect(call).not.toHaveBeenCalled()
})

test('the state lists what a page has read in the same order, whichever answer came first', async () => {
  const readsWith = async (slow: string) => {
    const { state } = await renderPage({
      url: '/post/7',
      transport: async (call) => {
        if (call.url.startsWith(slow)) await new Promise((resolve) => setTimeout(resolve, 5))
        return server().transport(call)
      },
    })
    return state.queries.map(({ queryKey }) => queryKey)
  }
  const order = await readsWith('/api/settings')
  expect(order).toHaveLength(4)
  expect(await readsWith('/api/posts')).toEqual(order)
})

test('a page fails as a whole with the error of its section, so that no half of it is cached', async () => {
  const rendering = renderWith({ '/api/posts?limit=6': [null] }, '/post/7')
  await expect(rendering).rejects.toThrow(TypeError)
})
