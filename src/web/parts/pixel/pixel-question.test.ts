import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { PIXEL_QUESTION_VERSION } from '#contract/pages.ts'
import { pixelCopy } from './consent-bar.tsx'

/** The hash of the question of each version. A changed text needs a new version, so that everybody answers again. */
const QUESTIONS: Record<number, string> = {
  1: 'aa045eae28e17298852d5291748846b4a4ee5bf76e5814ecc0542915ceccf080',
}

test('the question about the pixel is the one of its version', () => {
  const hash = createHash('sha256')
    .update(pixelCopy.title + pixelCopy.question)
    .digest('hex')
  expect(hash).toBe(QUESTIONS[PIXEL_QUESTION_VERSION])
})
