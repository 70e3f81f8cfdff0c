import { guardsIn, type ProgramGuard } from './guard.ts'

const M = 'src/server/modules'
const PLATFORM = 'src/server/platform'
const SECURITY = 'tests/security'

const pages = [
  ...guardsIn(`${PLATFORM}/pages/csp.ts`, `${SECURITY}/pages.db.test.ts`, {
    'pages: nothing from elsewhere': [`"default-src 'self'"`, `"default-src *"`],
    'pages: scripts of our own': [
      `script-src 'self' \${SCRIPT_HASHES`,
      `script-src 'self' 'unsafe-inline' \${SCRIPT_HASHES`,
    ],
    'pages: no plugins': `    "object-src 'none'",\n`,
    'pages: no other base': `    "base-uri 'none'",\n`,
    'pages: in no frame': `    "frame-ancestors 'none'",\n`,
    'pages: forms go to the site': `    "form-action 'self'",\n`,
  }),
  ...guardsIn(
    `${PLATFORM}/http/edge.ts`,
    [`${SECURITY}/outside.db.test.ts`, `${SECURITY}/pages.db.test.ts`],
    {
      'answers load nothing': [`"default-src 'none'; `, `"default-src 'self'; `],
      'answers are in no frame': `; frame-ancestors 'none'`,
      'TLS is remembered': `  'strict-transport-security': 'max-age=31536000; includeSubDomains',\n`,
    },
  ),
  ...guardsIn(`${PLATFORM}/http/early-answers.ts`, 'tests/db/early-pages.db.test.ts', {
    'an early answer believes only the given proxies': ' || !isTrusted(near)',
    'what two readers read differently gets no early answer': '    if (isAmbiguous(raw)) return null\n',
  }),
  ...guardsIn(`${PLATFORM}/http/events.ts`, `${PLATFORM}/http/events.test.ts`, {
    'a stream misses no change while its first state is read': '    if (isAskedAgain) void readOn()\n',
  }),
  ...guardsIn(`${PLATFORM}/pages/page-cache.ts`, `${PLATFORM}/pages/addresses.test.ts`, {
    'one client gets so many pages of searches': [
      'requested.isSearch ? SEARCHES_PER_ADDRESS : RENDERS_PER_ADDRESS',
      'RENDERS_PER_ADDRESS',
    ],
    'pages of searches fill no memory': ['isCached && !isSearch && ', 'isCached && '],
  }),
  ...guardsIn(`${M}/posts/posts.routes.ts`, `${M}/posts/posts.db.test.ts`, {
    'one client searches so often':
      '      await deps.limits.consume(SEARCHES_PER_ADDRESS, clientKey(visitor.address))\n',
  }),
  ...guardsIn(`${PLATFORM}/values/csv.rules.ts`, `${PLATFORM}/values/csv.rules.test.ts`, {
    'a spreadsheet runs no cell': ['FORMULA_START.test(plain) || ', ''],
    'a spreadsheet keeps the digits of a text': [
      'PLAIN_NUMBER.test(text) || !/\\p{N}/u.test(plain) || ',
      "text !== '' || ",
    ],
  }),
]

const requests = [
  ...guardsIn(
    `${PLATFORM}/http/server.ts`,
    [
      `${SECURITY}/json.db.test.ts`,
      `${SECURITY}/limits.db.test.ts`,
      `${SECURITY}/connections.db.test.ts`,
      `${SECURITY}/outside.db.test.ts`,
    ],
    {
      'bodies are bounded': ['bodyLimit: BODY_LIMIT_BYTES', 'bodyLimit: 100_000_000'],
      'nested JSON is bounded': `if (isDeeperThan(body as string, JSON_DEPTH_MAX)) return done(new Refusal('BAD_REQUEST'), undefined)`,
      'JSON reaches no prototype': [
        `app.getDefaultJsonParser('error', 'error')`,
        `app.getDefaultJsonParser('ignore', 'ignore')`,
      ],
      'addresses are bounded': ['const ADDRESS_LENGTH_MAX = 2_000', 'const ADDRESS_LENGTH_MAX = 2_000_000'],
      'slow heads are cut off': ['headersTimeout: HEADERS_MS_MAX', 'headersTimeout: 0'],
      'what two readers read differently is refused': [
        'if (isAmbiguous(request.raw)) {',
        'if (isAmbiguous(request.raw) && request.url === undefined) {',
      ],
      'only the given proxies are trusted': [
        'trustProxy: trustProxy.length > 0 ? trustProxy : false',
        'trustProxy: true',
      ],
    },
  ),
  ...guardsIn(`${PLATFORM}/pages/console.ts`, `${SECURITY}/console-host.db.test.ts`, {
    'the console has its own host': [
      'route.constraints = { ...route.constraints, host }',
      'route.constraints = {}',
    ],
    'below /admin only screens are there': ['send(request, reply.code(404))', 'send(request, reply)'],
  }),
  ...guardsIn(`${M}/accounts/password-hasher.ts`, `${M}/accounts/password-hasher.test.ts`, {
    'one address holds up no other at the hasher': ['clientKey(address)', `'all'`],
  }),
  ...guardsIn(`${M}/posts/share-picture.service.ts`, `${M}/posts/share-picture.db.test.ts`, {
    'one address holds up no other at the share pictures': ['clientKey(request.address)', `''`],
  }),
  ...guardsIn(`${PLATFORM}/http/client-address.ts`, `${PLATFORM}/http/client-address.test.ts`, {
    'a network of IPv6 is one client': '.slice(0, 4)',
  }),
  ...guardsIn(`${PLATFORM}/limits/limits.ts`, `${SECURITY}/limits.db.test.ts`, {
    'limits refuse': ['throw tooFast(error)', 'return'],
  }),
  ...guardsIn(
    `${PLATFORM}/http/outbound.ts`,
    [`${PLATFORM}/http/outbound.test.ts`, `${SECURITY}/outbound.db.test.ts`],
    {
      'nothing is called inside a transaction': `invariant(!isInTransaction(), 'nothing is called over the network inside a transaction')`,
      'only listed hosts are called': `invariant(allowedOrigins.includes(new URL(request.url).origin), 'only listed hosts are called')`,
      'no redirect is followed': ['if (status >= 300 && status < 400) throw', 'if (status >= 900) throw'],
      'answers of others are bounded': `if (size > ANSWER_BYTES_MAX) throw new Error('the answer is too large')`,
      'calls of others end': [
        'signal: AbortSignal.timeout(request.timeoutMs)',
        'signal: AbortSignal.timeout(60_000)',
      ],
    },
  ),
]

const uploads = [
  ...guardsIn(`${PLATFORM}/http/form.ts`, `${SECURITY}/uploads.db.test.ts`, {
    'forms are bounded before they are read': [
      `    throw new Refusal('PAYLOAD_TOO_LARGE')\n  }\n  if (reading`,
      '  }\n  if (reading',
    ],
    'a session sends one form at a time': `if (reading.has(sessionId)) throw new Refusal('IN_PROGRESS', { retryAfterSeconds: 1 })`,
    'a file is bounded':
      'else if (part.file.truncated || bytes.length > form.fileBytesMax) errors[name] = [form.fileTooLarge]',
    'a file comes once': [
      `      else if (files.length >= filesMax) errors[name] = [filesMax === 1 ? TWICE : tooMany(filesMax)]\n      else if (part.file`,
      `      else if (part.file`,
    ],
    'a file is where it belongs': [
      'if (name !== form.file) errors[name] = [UNREADABLE]\n      else if',
      'if',
    ],
  }),
  ...guardsIn(
    `${PLATFORM}/pictures/reencode.ts`,
    [`${SECURITY}/uploads.db.test.ts`, `${SECURITY}/editor-uploads.db.test.ts`],
    {
      'a file is the picture it begins as': 'if (kind === null) throw wrongPictureType(field)',
      'pictures have so many pixels': 'if (width * height > PIXELS_MAX) throw pictureTooManyPixels(field)',
      'of a PNG only the pixels are read': [`kind === 'png' ? pixelsOnly(bytes) : bytes`, 'bytes'],
    },
  ),
  ...guardsIn(`${PLATFORM}/process/bounded-queue.ts`, `${PLATFORM}/process/bounded-queue.test.ts`, {
    'what waits is bounded': ['queue.size >= waitingMax', 'false'],
    'who waits too long is refused in time': ['reject(refused(ownAhead))', 'void reject'],
    'who would wait too long is refused at once': [
      '> waitMsMax) throw refused(queue.sizeOf(key))',
      '> waitMsMax) void refused(queue.sizeOf(key))',
    ],
  }),
  ...guardsIn(`${PLATFORM}/http/client-connections.ts`, `${SECURITY}/open-connections.db.test.ts`, {
    'an address has so many connections': [
      'if (excess > 0) this.#refuse(',
      'if (excess > 1e9) this.#refuse(',
    ],
    'far too many are closed at once': ['if (excess > REFUSED_MAX) return', 'if (excess > 1e9) return'],
    'a trusted proxy has its clients’ connections':
      'if (this.#proxies.check(address, familyOf(address))) return',
  }),
  ...guardsIn(`${PLATFORM}/http/events.ts`, `${SECURITY}/open-connections.db.test.ts`, {
    'an address has so many streams': ['countOfAddress(app, { request, reply, isOfEveryPage })\n', '\n'],
  }),
  ...guardsIn(`${PLATFORM}/http/broadcasts.ts`, `${PLATFORM}/http/broadcasts.test.ts`, {
    'a follower who does not read is disconnected': [
      'this.readable.readableLength + text.length > this.#unreadMax',
      'this.readable.readableLength < 0',
    ],
    'what was missed is not sent without a limit': ['bytes > this.#limits.unreadBytes / 2', 'bytes < 0'],
  }),
  ...guardsIn(
    `${PLATFORM}/http/events.ts`,
    [`${PLATFORM}/http/events.test.ts`, `${M}/recharge/order-events.db.test.ts`],
    {
      'streams of a process are bounded': [
        'return this.#open.size >= this.#limits.perProcess',
        'return false',
      ],
      'streams of a player are bounded': [
        'return (this.#countOf.get(userId) ?? 0) >= this.#limits.perPlayer',
        'return false',
      ],
    },
  ),
]

const setUps = [
  ...guardsIn('src/server/health/readiness.ts', 'tests/db/set-ups.db.test.ts', {
    'who cannot write is not ready': [`if (reason !== null) return`, 'if (isStopping()) return'],
  }),
  ...guardsIn(`${PLATFORM}/db/rights.ts`, 'tests/db/sick-database.db.test.ts', {
    'a start sets right what the role may do': [
      'if (cure.length === 0) return',
      'if (role !== cure[0]) return',
    ],
    'what a newer program gave stays': [
      '(await isAheadOf(client, await readMigrations())) ? [] : surplus',
      'surplus',
    ],
    'an owner gets back the rights on its own': [
      'return [...own, ...cureOf(',
      'return [...own.slice(0, 0), ...cureOf(',
    ],
    'a right by another role stops a start': [
      'if (surplus.length > 0) {',
      'if (role === missing[0]?.grantee) {',
    ],
  }),
  ...guardsIn(`${PLATFORM}/db/writes.ts`, 'tests/db/sick-database.db.test.ts', {
    'a role that only reads stops a start': [
      'if (!is_read_only) return',
      'if (is_standby === is_standby) return',
    ],
    'sessions whose triggers do not run stop a start': [
      'if (found === undefined) return',
      'if (found === found) return',
    ],
    'who lacks rights is not ready': [`(lacksRights ? 'missing-rights' : null)`, 'null'],
  }),
  ...guardsIn(`${PLATFORM}/db/writes.ts`, 'tests/db/sick-server.db.test.ts', {
    'commits that wait for a standby in vain stop a start': [
      'if (lacks_standby) {',
      'if (lacks_standby && is_standby) {',
    ],
  }),
  ...guardsIn(`${PLATFORM}/db/writes.ts`, 'tests/db/sick-server.db.test.ts', {
    'who can begin no transaction is not ready': 'await takeNumber.execute(tx)',
  }),
  ...guardsIn(`${PLATFORM}/db/app-role.ts`, 'tests/db/sick-database.db.test.ts', {
    'a role in a group of the server stops a start': [
      '...now.foreign_roles,',
      '...now.foreign_roles.slice(0, 0),',
    ],
    'the role has its own settings': [
      `GUARDING.filter(([name]) => name !== 'session_replication_role')`,
      'GUARDING.filter(() => false)',
    ],
  }),
  ...guardsIn('src/server/start/database.ts', 'tests/db/sick-database.db.test.ts', {
    'tables without their guards stop a start': 'if (isServing) await asOwner(ownerUrl, requireSound)',
    'a sequence behind its column is set right': 'await keepSequences(ownerUrl, log)',
  }),
  ...guardsIn('src/server/start/database.ts', 'tests/db/set-ups.db.test.ts', {
    'a pooler that leads elsewhere stops a start': [
      'await requirePooler({ requestsUrl, appUrl })',
      'await null',
    ],
  }),
  ...guardsIn(`${PLATFORM}/db/owner.ts`, 'tests/db/sick-database.db.test.ts', {
    'another search_path stops a start': [`if (schema === 'public') return`, 'if (schema !== path) return'],
  }),
  ...guardsIn(`${PLATFORM}/db/bounded-client.ts`, `${PLATFORM}/db/bounded-client.db.test.ts`, {
    'a connection that only reads is left': [
      'this.#onlyReads ||= code === ONLY_READS',
      'this.#onlyReads ||= code === null',
    ],
  }),
  ...guardsIn(
    'src/server/platform/db/migration-files.ts',
    ['tests/db/baseline.db.test.ts', 'tests/db/migration-kinds.db.test.ts'],
    {
      'a database older than the baseline is refused': [
        'if (!applied.some((one) => one.name === last && one.checksum === checksum)) {',
        'if (commit === checksum) {',
      ],
      'a migration declares its kind': [
        "isKind !== undefined && (isAlone === undefined || kind === 'expand')",
        "name !== ''",
      ],
    },
  ),
  ...guardsIn('src/server/health/database.ts', 'tests/db/set-ups.db.test.ts', {
    'a pooler is not taken for PostgreSQL': ['if (!(await isServerItself(client)))', 'if (client === null)'],
  }),
]

const CLIENT_ERRORS = `${M}/client-errors/client-errors`
const CLIENT_ERRORS_TEST = `${CLIENT_ERRORS}.db.test.ts`

const reports = [
  ...guardsIn(`${CLIENT_ERRORS}.service.ts`, CLIENT_ERRORS_TEST, {
    'one address reports so many errors of browsers': '  await deps.limits.consume(PER_ADDRESS, address)\n',
    'a release has so many errors of browsers': ['>= ERRORS_OF_RELEASE_MAX', '>= Infinity'],
    'a release of browsers is one that was built': [
      '(await sourceMaps.has(ENTRIES[site](report.release))) ? report.release',
      "report.release !== '' ? report.release",
    ],
    'messages of browsers are stored scrubbed': ['scrubbed(report.message)', 'report.message'],
    'places of browsers are files of the sites': ['framesIn(report.place)', "report.place.split(' ')"],
    'pages of browsers are lines of the tables': ['pageOf(site, report.page)', 'report.page'],
    'engines of browsers are name and version': ['engineOf(report.engine)', 'report.engine.slice(0, 40)'],
  }),
  ...guardsIn(`${CLIENT_ERRORS}.queries.ts`, CLIENT_ERRORS_TEST, {
    'new errors of browsers take turns': [
      /* oxlint-disable-next-line no-template-curly-in-string */
      'SELECT pg_advisory_xact_lock(hashtextextended(${`client_error:${site}:${release}`}, 0))',
      'SELECT ${`${site}:${release}`}::text',
    ],
    'an error of browsers has so many engines': [
      '< ${ENGINES_MAX}::integer THEN',
      '< ${9_999}::integer THEN',
    ],
  }),
]

/** What may come in from outside and go out, how much of it, and what it may do in a browser. */
export const trafficGuards: ProgramGuard[] = [...pages, ...requests, ...uploads, ...setUps, ...reports]
