import { expect, test } from 'vitest'
import { isLiving, type StoredCode } from './codes.rules.ts'

const fresh: StoredCode = {
  channel: 'phone',
  codeHash: Buffer.alloc(32),
  isVerified: false,
  isSpent: false,
  wrongTries: 0,
  ageSeconds: 0,
  triesToday: 0,
}

test.each<[string, Partial<StoredCode>, boolean, boolean]>([
  ['fresh', {}, true, false],
  ['almost 5 minutes old', { ageSeconds: 299.9 }, true, false],
  ['5 minutes old', { ageSeconds: 300 }, false, false],
  ['verified', { isVerified: true }, false, true],
  ['verified and almost 10 minutes old', { isVerified: true, ageSeconds: 599.9 }, false, true],
  ['verified and 10 minutes old', { isVerified: true, ageSeconds: 600 }, false, false],
  ['spent', { isVerified: true, isSpent: true }, false, false],
  ['wrongly tried four times', { wrongTries: 4 }, true, false],
  ['wrongly tried five times', { wrongTries: 5 }, false, false],
  ['verified and wrongly tried five times', { isVerified: true, wrongTries: 5 }, false, false],
  ['at the day’s last try', { triesToday: 19 }, true, false],
  ['after the day’s last try', { triesToday: 20 }, false, false],
  ['mailed', { channel: 'email' }, true, true],
  ['mailed and 10 minutes old', { channel: 'email', ageSeconds: 600 }, false, false],
])('a code that is %s: verifiable and spendable or not', (_what, change, verifiable, spendable) => {
  const code = { ...fresh, ...change }
  expect([isLiving(code, 'verify', 20), isLiving(code, 'act', 20)]).toEqual([verifiable, spendable])
})
