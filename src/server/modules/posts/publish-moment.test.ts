import { expect, test } from 'vitest'
import { publishMoment } from './posts.rules.ts'

const now = new Date('2026-11-22T12:00:00Z')
const past = new Date('2026-11-01T00:00:00Z')
const later = new Date('2026-12-01T00:00:00Z')
const shown = { published: true, publish_at: past }
const scheduled = { published: true, publish_at: later }
const hidden = { published: false, publish_at: past }

test.each([
  ['a new post', undefined, null, null],
  ['a new post with a moment', later.toISOString(), null, later],
  ['a shown post, nothing said', undefined, shown, past],
  ['a shown post, null', null, shown, past],
  ['a shown post put off', later.toISOString(), shown, later],
  ['a scheduled post, nothing said', undefined, scheduled, later],
  ['a scheduled post, null', null, scheduled, null],
  ['a hidden post', undefined, hidden, null],
])('%s', (_, given, before, moment) => {
  expect(publishMoment(given, before, now)).toEqual(moment)
})
