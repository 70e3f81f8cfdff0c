import { afterEach, expect, test, vi } from 'vitest'
import { withdrawPixel } from './choose-pixel.ts'

afterEach(() => vi.unstubAllGlobals())

test('a refusal removes the cookies of the pixel from this host and from every domain above it', () => {
  const written: string[] = []
  vi.stubGlobal('location', { hostname: 'portal.game.example' })
  vi.stubGlobal('document', {
    set cookie(value: string) {
      written.push(value)
    },
  })
  withdrawPixel()
  const domains = ['', '; Domain=portal.game.example', '; Domain=game.example', '; Domain=example']
  expect(written).toEqual(
    ['_fbp', '_fbc'].flatMap((name) => domains.map((domain) => `${name}=; Max-Age=0; Path=/${domain}`)),
  )
})
