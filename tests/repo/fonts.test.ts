import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { cutFont, FONT_WEIGHTS } from '../../art/fonts.ts'

const FONT_BYTES_MAX = 20_000

test.each(FONT_WEIGHTS)(
  'the font of weight %i is the one that `npm run fonts` makes, and small',
  async (weight) => {
    const committed = await readFile(`src/ui/fonts/be-vietnam-pro-${weight}.woff2`)
    expect(committed.length).toBeLessThanOrEqual(FONT_BYTES_MAX)
    expect(committed.equals(await cutFont(weight))).toBe(true)
  },
)
