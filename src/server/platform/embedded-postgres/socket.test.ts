import { expect, test } from 'vitest'
import { socketOf } from './socket.ts'

test('a server is listened for at a socket in its directory, where the system and PostgreSQL can take the path', () => {
  expect(socketOf('/srv/data/postgres', 20_001)).toBe('/srv/data/postgres/.s.PGSQL.20001')
  const longest = `/${'a'.repeat(87)}`
  expect(socketOf(longest, 20_001)).toBe(`${longest}/.s.PGSQL.20001`)
  expect(socketOf(`${longest}a`, 20_001)).toBeNull()
  // 85 letters of two bytes each, a comma between two directories, a quoted name.
  for (const clusterDir of [`/${'đ'.repeat(85)}`, '/srv/a,b', '/srv/"a"']) {
    expect(socketOf(clusterDir, 20_001)).toBeNull()
  }
})
