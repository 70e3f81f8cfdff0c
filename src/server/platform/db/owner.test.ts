import { expect, test } from 'vitest'
import { SetupProblem } from '../values/errors.ts'
import { assertVersion } from './owner.ts'

// Debian has 15 alone, and the embedded one is 18: the versions in between are what PostgreSQL reports of itself.
test.each(['15.0', '15.13 (Debian 15.13-0+deb12u1)', '16beta1', '17.5', '18.1'])(
  'PostgreSQL %s is used',
  (version) => {
    expect(() => assertVersion(version)).not.toThrow()
  },
)

test.each(['14.18 (Debian 14.18-1.pgdg120+1)', '14beta3', '9.6.24', ''])(
  'PostgreSQL %s is not',
  (version) => {
    expect(() => assertVersion(version)).toThrow(SetupProblem)
    expect(() => assertVersion(version)).toThrow(`this is PostgreSQL ${version}: use PostgreSQL 15 or newer`)
  },
)
