import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './checkout-copy.ts'

/** The calls that may be answered from a replica, which is some seconds behind: what anybody sees, and nobody's own. */
const READ_FROM_REPLICA: Record<string, readonly string[]> = {
  'modules/legal/legal.routes.ts': ['getLegalText'],
  'modules/posts/posts.routes.ts': ['listPosts', 'getPost', 'listCategories', 'getCategory'],
  'modules/ranking/ranking.routes.ts': ['listGroups', 'getGroupEntries'],
  'modules/tournaments/tournaments.routes.ts': [
    'listTournaments',
    'getBracket',
    'getDraw',
    'listCharacterResults',
    'listTournamentTeams',
  ],
}

test('these calls read from the replica and nothing else does: no money, no session, nothing of operators', async () => {
  const server = join(root, 'src/server')
  const names = (await readdir(server, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && name !== 'platform/db/replica.ts',
  )
  const found: Record<string, string[]> = {}
  for (const name of names) {
    const text = await readFile(join(server, name), 'utf8')
    const uses = text.split('readPublic(').length - 1
    const served = [
      ...text.matchAll(/api\.serve(?:Read|Cached)?\(\s*(\w+),((?!api\.serve)[^])*?readPublic\(/g),
    ].map(([, call]) => call as string)
    if (uses === 0) continue
    expect(served, `every use in ${name} is that of one call`).toHaveLength(uses)
    found[name] = served
  }
  expect(found).toEqual(READ_FROM_REPLICA)
})

test('nothing but readPublic hands out the replica', async () => {
  const text = await readFile(join(root, 'src/server/platform/db/replica.ts'), 'utf8')
  expect([...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name)).toEqual([
    // Of positions alone.
    'latestPassed',
    'readPublic',
    'openReplica',
  ])
})
