import { guardsIn, type ProgramGuard } from './guard.ts'

const ADAPTER = 'src/game-adapter'
const TESTS = ['tests/db/game-adapter.db.test.ts', 'tests/db/game-adapter-install.db.test.ts']

export const gameAdapterGuards: readonly ProgramGuard[] = [
  ...guardsIn(`${ADAPTER}/adapter.ts`, TESTS, {
    'adapter: only the portal is believed': [
      'if (!isSignedGameCall(of.config.secrets, signed, Date.now())) {',
      'if (signed.path.length < 0) {',
    ],
  }),
  ...guardsIn(`${ADAPTER}/deliveries.ts`, TESTS, {
    'adapter: another body under the same id is a conflict': ['!known.equals(hash)', 'known.length === 0'],
    'adapter: a copy that came at once gets the same answer': [
      'if (!isDuplicate(error)) throw error\n      // A copy',
      'throw error\n      // A copy',
    ],
    'adapter: what was cancelled stays refused': [
      `if (status === 'cancelled') return refused('cancelled')`,
      '',
    ],
    'adapter: a cancellation takes back nothing that is applied': ` AND status = 'refused'`,
    'adapter: ids are compared as texts': [
      'String(id) === characterId',
      'Number(id) === Number.parseInt(characterId, 10)',
    ],
    'adapter: what is above the cap is refused': [
      'sums.luong > caps.luong || sums.yen > caps.yen',
      'sums.luong < 0 || sums.yen < 0',
    ],
    'adapter: an unknown item is refused': `if (items !== undefined && item === undefined) return 'unknown-item'`,
  }),
  ...guardsIn(`${ADAPTER}/notices.ts`, 'tests/db/game-adapter-charges.db.test.ts', {
    'adapter: a game that shows no notices is given none': [
      `if (!(await database.use(showsNotices))) return wrong(404, 'no-such-call')`,
      '',
    ],
    'adapter: another notice under its id is a conflict': ['row.body_hash.equals(hash)', 'hash.length > 0'],
    'adapter: few notices of an account are open': ['.slice(OPEN_MAX)', '.slice(10 * OPEN_MAX)'],
  }),
  ...guardsIn(`${ADAPTER}/charges.ts`, 'tests/db/game-adapter-charges.db.test.ts', {
    'adapter: a game that takes no charges is not asked': [
      `if (!(await of.database.use(takesCharges))) return wrong(404, 'no-such-call')`,
      '',
    ],
    'adapter: a charge that was taken at the last moment is not refused': ` AND status = 'asked'`,
    'adapter: a charge that nobody took is refused for good': [
      `SET status = 'refused', reason = 'offline'`,
      `SET reason = 'offline'`,
    ],
    'adapter: another body under the id of a charge is a conflict': [
      'Buffer.isBuffer(known) && known.equals(hash)',
      'Buffer.isBuffer(known) || hash.length > 0',
    ],
    'adapter: only what was taken is given back': [
      `if (charge?.status === 'applied') {`,
      'if (charge !== undefined) {',
    ],
    'adapter: what was given back is not taken any more': [
      `await session.change(\`UPDATE portal_charge SET status = 'refunded' WHERE id = ?\`, [id])`,
      '',
    ],
  }),
  ...guardsIn(`${ADAPTER}/accounts.ts`, TESTS, {
    'adapter: doubled accounts get no deliveries': `if (found.length > 1) return { kind: 'ambiguous-account' }`,
    'adapter: a ban in a column of bits is a ban': [
      'isSet(row.banned)',
      '(readNumber(row.banned) ?? 0) !== 0',
    ],
    'adapter: names are compared exactly': ['keyOf(name) === key', 'keyOf(name) !== key + key'],
    'adapter: a list calls a doubled account by its id': [
      'this.idsOf(name).length > 1',
      'this.idsOf(name).length > 9',
    ],
  }),
  ...guardsIn(`${ADAPTER}/portal-accounts.ts`, TESTS, {
    'adapter: an older version frees no banned account': [
      'banned_until = IF(VALUES(version) > version, VALUES(banned_until), banned_until)',
      'banned_until = VALUES(banned_until)',
    ],
    'adapter: a late call takes no answered moment back': ['GREATEST(value, VALUES(value))', 'VALUES(value)'],
  }),
  ...guardsIn(`${ADAPTER}/presets.ts`, `${ADAPTER}/config.test.ts`, {
    'adapter: a way into JSON holds no quotes': [
      '/^\\$(\\.[A-Za-z0-9_]{1,64}|\\[\\d{1,4}\\]){1,8}$/',
      '/^.{1,64}$/',
    ],
    'adapter: names of columns hold no quotes': ['/^[\\p{L}\\p{N}_$-]{1,64}$/u', '/^.{1,64}$/u'],
  }),
  ...guardsIn(`${ADAPTER}/refusals.ts`, 'tests/db/game-adapter-detect.db.test.ts', {
    'adapter: a text is installed as no luong': ['if (!isNumberColumn(column))', "if (column.name === '')"],
    'adapter: templates are installed as no characters': [
      'return (await isNone(heroes, characters.name, ascii))',
      'return names.length < 0',
    ],
    'adapter: power is installed as no level': ['return most > LEVEL_MAX', 'return most < 0'],
    'adapter: a cap that does not fit is refused': ['cap !== null && cap > most', 'cap === -1'],
  }),
  ...guardsIn(`${ADAPTER}/detect/links.ts`, 'tests/db/game-adapter-install.db.test.ts', {
    'adapter: a table without the names of a list holds no characters': [
      'if (asked.length > 0 && !isEmpty) return null',
      '',
    ],
  }),
]
