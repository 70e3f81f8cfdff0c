import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './checkout-copy.ts'

/**
 * Where a process counts something in its memory against a bound. With PROCESSES every process has a count of its own,
 * so each place declares what bounds the sum of the machine (ADR 0042).
 *
 * `divided`: by the number of web processes. `shared`: the processes count together. `worker`: only the one worker
 * counts it. `own`: it bounds what this process itself holds, and another process has its own to hold.
 */
type Kind = 'divided' | 'shared' | 'worker' | 'own'
const PLACES: Record<string, readonly [Kind, why: string]> = {
  'modules/accounts/accounts.rules.ts': ['divided', 'by boundedQueue of password-hasher.ts'],
  'modules/accounts/password-hasher.ts': ['divided', 'hashes at once, and who waits for them'],
  'modules/audit/trail.service.ts': ['shared', 'checks of one operator'],
  'modules/bank-inbox/intake/webhooks.service.ts': ['shared', 'bad signatures that are logged'],
  'modules/cases/cases.service.ts': ['shared', 'pictures of one player'],
  'modules/client-errors/client-errors.service.ts': ['shared', 'reports of one address, and of all'],
  'modules/game-bridge/game-bridge.service.ts': ['divided', 'questions to the game'],
  'modules/notices/notices.service.ts': ['shared', 'marks and preferences of one player'],
  'modules/pictures/pictures.service.ts': ['shared', 'pictures of one operator'],
  'modules/posts/posts.routes.ts': ['shared', 'searches of one address'],
  'modules/posts/share-picture.service.ts': ['divided', 'drawings; the 60 that are kept are its own memory'],
  'modules/posts/views.service.ts': ['own', 'views that it has not written yet'],
  'modules/recharge-claims/recharge-claims.service.ts': ['shared', 'pictures of one player'],
  'modules/reconciliation/given-statements/given-statements.service.ts': ['shared', 'files of one operator'],
  'modules/reconciliation/given-statements/spreadsheet.ts': ['divided', 'files that are read'],
  'modules/sessions/verified-passwords.ts': ['own', 'accounts whose password it has just checked'],
  'modules/sessions/session-cache.ts': ['own', 'sessions that it remembers'],
  'modules/tournaments/notices/reminders.service.ts': ['shared', 'reminders of one player'],
  'platform/process/bounded-queue.ts': ['divided', 'divides for all who use it'],
  'platform/db/database.ts': ['own', 'DATABASE_POOL; `portal doctor` adds up the processes'],
  'platform/db/bounded-client.ts': ['own', 'statements that its own connections keep'],
  'platform/db/notices.ts': ['own', 'notices that it has not sent yet'],
  'platform/http/accepted-encodings.ts': ['own', 'what browsers accept, as it was read'],
  'platform/http/api.ts': ['shared', 'calls of one address or session'],
  'platform/http/broadcasts.ts': ['divided', 'streams that anybody follows; of one address by each process'],
  'platform/http/client-connections.ts': ['own', 'half of what its caller hands in as the limit'],
  'platform/http/early-answers.ts': ['own', 'addresses that it knows as proxies or not'],
  'platform/http/events.ts': ['divided', 'streams of one player; all that it holds are its own'],
  'platform/http/form.ts': ['divided', 'forms that are read'],
  'platform/http/in-process-reads.ts': ['own', 'addresses of what pages read, as they were taken apart'],
  'platform/http/server.ts': ['own', 'connections, by what each costs its memory'],
  'platform/queues/sending-pool.ts': ['worker', 'deliveries and mails that are sent at once'],
  'platform/limits/limits.ts': ['shared', 'opens the limits of machine and database'],
  'platform/limits/machine-limiter.ts': ['shared', 'half divided, half counted by the primary'],
  'platform/metrics/metrics-server.ts': ['own', 'connections to its own port'],
  'platform/pages/csp.ts': ['own', 'hashes of texts of the build'],
  'platform/pages/page-cache.ts': [
    'shared',
    'renderings and searches of one address; the pages it caches are its own',
  ],
  'platform/pages/source-maps.ts': ['own', 'maps that it has read'],
  'platform/pages/rendering.ts': ['divided', 'renderings'],
  'platform/pictures/reencode.ts': ['divided', 'pictures that are drawn'],
  'platform/process/identity.ts': ['divided', 'says how'],
  'platform/tracing/open-telemetry.ts': ['own', 'spans that wait for the collector'],
}

/** Words of a count in memory: queues, limits, pools, and comparisons with a number that is held against a bound. */
const COUNTED = [
  /\b(?:boundedQueue|machineLimit|shareOfMachine|openMachineLimiter|startLimiter|memoized)\(/,
  /\bnew (?:RateLimiterMemory|RateLimiterCluster|Pool|EventStreams)\(/,
  /\bmaxConnections =/,
  /\bparallelMax\b.*\.size\b/,
  /\b[a-z]*AtOnce\(/,
  /\.size\b[^=\n]*[<>]=? *(?:this\.#?)?[A-Za-z][\w.]*(?:MAX|Max|perProcess)\b/,
  /#?\b(?:waiting|running|open|pending)\b *[<>]=? *[A-Za-z]/,
]
/** A bound on what one piece of work handles, not on what a process holds. */
const OF_ONE_CALL = new Set(['modules/recharge/order-code.rules.ts'])

async function counting(): Promise<string[]> {
  const server = join(root, 'src/server')
  const names = await readdir(server, { recursive: true })
  const sources = names.filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('/testing/'),
  )
  const found = await Promise.all(
    sources.map(async (name) => {
      const code = (await readFile(join(server, name), 'utf8')).replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
      return COUNTED.some((pattern) => pattern.test(code)) ? [name] : []
    }),
  )
  return found.flat().filter((name) => !OF_ONE_CALL.has(name))
}

test('every limit that a process counts for itself is divided among the processes, shared, or its own affair', async () => {
  const listed = Object.keys(PLACES)
  const found = await counting()
  expect(found.filter((name) => !listed.includes(name))).toEqual([])
  expect(listed.filter((name) => !found.includes(name))).toEqual([])
})

test('who counts anything in memory without naming it is noticed', () => {
  const samples = [
    'const queued = boundedQueue({ runningMax: 2 })',
    "const ASKED = machineLimit('asked', 3, 60)",
    'if (open.size >= OPEN_MAX) throw busy()',
    'if (this.#waiting >= WAITING_MAX) return',
    'const pool = new Pool({ max: 3 })',
  ]
  expect(samples.filter((code) => !COUNTED.some((pattern) => pattern.test(code)))).toEqual([])
})
