import { createHmac, randomBytes } from 'node:crypto'
import type { RandomBelow } from './draw.rules.ts'

/** 32 random bytes as hexadecimal digits. */
export const newDrawSeed = (): string => randomBytes(32).toString('hex')

const RANGE = 2 ** 32

/** Random numbers that follow from the seed alone: HMAC-SHA256 of a counter, and values beyond the last whole multiple left out. */
export function randomFromSeed(seed: string): RandomBelow {
  const key = Buffer.from(seed, 'hex')
  let counter = 0
  return (bound) => {
    const limit = RANGE - (RANGE % bound)
    for (;;) {
      const value = createHmac('sha256', key).update(String(counter++)).digest().readUInt32BE(0)
      if (value < limit) return value % bound
    }
  }
}
