import { expect, test } from 'vitest'
import { shareLinks } from './share-row.tsx'

test('the whole address, with its query, is one value of the link', () => {
  const address = 'https://ninja.example.com/register?referral_id=hoàng&b=1'
  for (const link of Object.values(shareLinks(address))) {
    const { origin, searchParams } = new URL(link)
    expect(['https://zalo.me', 'https://www.facebook.com']).toContain(origin)
    expect([...searchParams.values()]).toEqual([address])
  }
})
