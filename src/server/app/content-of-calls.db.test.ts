import { expect, test } from 'vitest'
import { pages } from '#contract/pages.ts'
import { useTestApp } from '#tests/support/app.ts'
import { contentOfCall } from './app.ts'
import { CONTENT_KINDS } from '#server/domain/content.ts'
import { loadSite } from '../platform/pages/site-files.ts'

const requested = new Set<string>()

const portal = useTestApp({
  overrides: {
    withPages: true,
    async openSite() {
      const site = await loadSite()
      return {
        ...site,
        renderPage: ({ url, transport }) =>
          site.renderPage({
            publicUrl: 'https://ninja.example.com',
            url,
            transport: (call) => {
              requested.add(call.url)
              return transport(call)
            },
          }),
      }
    },
  },
})

test('it is known of every call that pages are rendered from which content its answer shows', async () => {
  for (const { path } of Object.values(pages)) {
    const address = path
      .replace(/\/:\w+\?/g, '')
      .replace(/:\w+/g, '1')
      .replace('*', '/nothing')
    await portal.app.inject({ url: address })
  }
  expect(requested.size).toBeGreaterThan(10)
  expect([...requested].filter((url) => contentOfCall(url) === CONTENT_KINDS)).toEqual([])
})
