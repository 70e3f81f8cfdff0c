// The architecture, as rules. `npm run check` fails when an import crosses a line, and when too few modules were read
// (scripts/check.ts), since a parser that understands nothing finds nothing wrong.

/** Which module may use which others, always through their index.ts. A new arrow is a decision (docs/decisions). */
const MODULE_MAP = {
  audit: [],
  maintenance: ['audit'],
  settings: ['audit', 'maintenance'],
  wallet: [],
  'game-bridge': ['settings'],
  'game-accounts': ['audit', 'game-bridge'],
  pictures: ['audit'],
  posts: ['audit', 'settings', 'pictures'],
  legal: ['audit', 'settings'],
  consents: ['legal'],
  downloads: ['settings'],
  mail: ['settings'],
  notices: ['mail', 'consents'],
  otp: ['settings', 'audit'],
  accounts: ['wallet', 'settings', 'audit', 'otp', 'mail', 'notices', 'game-accounts', 'game-bridge'],
  'second-factor': ['accounts', 'mail', 'notices', 'settings', 'audit'],
  proposals: ['accounts', 'mail', 'audit', 'second-factor', 'settings'],
  'planned-prices': ['accounts', 'mail', 'settings', 'proposals', 'audit'],
  digests: ['accounts', 'mail'],
  sessions: ['accounts', 'traders', 'second-factor', 'mail', 'notices', 'consents'],
  push: ['notices', 'consents', 'sessions'],
  passwords: [
    'accounts',
    'game-bridge',
    'second-factor',
    'sessions',
    'otp',
    'mail',
    'notices',
    'settings',
    'audit',
  ],
  traders: ['wallet', 'accounts', 'settings', 'audit', 'game-accounts'],
  'account-import': ['accounts', 'traders', 'wallet', 'audit'],
  transfers: ['wallet', 'accounts', 'traders', 'otp', 'settings', 'game-bridge'],
  'payment-providers': [],
  promotions: ['wallet', 'settings', 'audit', 'proposals'],
  'order-purchases': ['maintenance', 'settings', 'traders', 'game-bridge', 'purchases', 'notices'],
  recharge: [
    'traders',
    'settings',
    'payment-providers',
    'promotions',
    'milestones',
    'order-purchases',
    'audit',
  ],
  cases: ['accounts', 'audit', 'mail', 'notices', 'otp', 'traders'],
  'recharge-claims': ['cases', 'traders'],
  'bank-inbox': [
    'payment-providers',
    'recharge',
    'recharge-claims',
    'traders',
    'wallet',
    'accounts',
    'settings',
    'audit',
    'mail',
    'notices',
    'proposals',
  ],
  purchases: [
    'wallet',
    'traders',
    'game-bridge',
    'game-accounts',
    'settings',
    'mail',
    'notices',
    'audit',
    'proposals',
  ],
  'check-in': ['purchases', 'settings', 'audit'],
  milestones: ['purchases', 'proposals', 'settings', 'audit', 'notices'],
  budgets: ['wallet', 'settings', 'audit', 'proposals'],
  invitations: ['wallet', 'accounts', 'traders', 'settings', 'notices', 'audit'],
  'gift-codes': ['wallet', 'traders', 'purchases', 'game-bridge', 'settings', 'audit', 'proposals'],
  reconciliation: ['payment-providers', 'bank-inbox', 'recharge', 'wallet', 'settings', 'audit'],
  statements: ['bank-inbox', 'wallet', 'traders', 'audit'],
  statistics: [],
  servers: ['audit'],
  ranking: ['game-bridge', 'accounts', 'consents', 'settings', 'audit'],
  alarms: ['audit'],
  'client-errors': ['audit'],
  tournaments: ['accounts', 'audit', 'game-bridge', 'notices', 'servers', 'traders'],
  home: ['tournaments'],
  'saved-filters': [],
  'personal-data': [
    'account-import',
    'accounts',
    'audit',
    'bank-inbox',
    'check-in',
    'cases',
    'consents',
    'game-accounts',
    'game-bridge',
    'gift-codes',
    'invitations',
    'mail',
    'milestones',
    'notices',
    'order-purchases',
    'otp',
    'passwords',
    'players',
    'promotions',
    'proposals',
    'purchases',
    'push',
    'ranking',
    'recharge',
    'recharge-claims',
    'saved-filters',
    'second-factor',
    'sessions',
    'settings',
    'tournaments',
    'traders',
    'wallet',
  ],
  'view-as': [
    'accounts',
    'audit',
    'cases',
    'maintenance',
    'purchases',
    'recharge',
    'recharge-claims',
    'sessions',
    'statements',
    'traders',
  ],
  players: [
    'accounts',
    'traders',
    'sessions',
    'second-factor',
    'passwords',
    'recharge',
    'bank-inbox',
    'wallet',
    'settings',
    'proposals',
    'audit',
  ],
}

/**
 * The folders of the platform, lowest first: each may import itself and those before it. What each is for stands in
 * src/server/platform/README.md.
 */
const PLATFORM_LAYERS = [
  'values',
  'html',
  'metrics',
  'process',
  'tracing',
  'log',
  'jobs',
  'pictures',
  'embedded-postgres',
  'db',
  'queues',
  'backup',
  'limits',
  'idempotency',
  'http',
  'pages',
]

const P = '^src/server/platform/'
const M = '^src/server/modules/'
const modules = Object.keys(MODULE_MAP)
const TESTS = '[.](test|db[.]test)[.]tsx?$|/testing/'

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    rule('no-circular', {}, { circular: true }),
    rule('not-to-unresolvable', {}, { couldNotResolve: true }),
    rule('contract-is-a-leaf', { path: '^src/contract/' }, { path: '^src/', pathNot: '^src/contract/' }),
    rule('ui-is-a-leaf', { path: '^src/ui/' }, { path: '^src/', pathNot: '^src/ui/' }),
    // What every site does in the browser: calls, sending, forms, event streams.
    rule(
      'client-knows-no-site',
      { path: '^src/client/', pathNot: TESTS },
      { path: '^src/', pathNot: ['^src/(client|ui)/', '^src/contract/(accounts/)?[^/]+$'] },
    ),
    rule(
      'platform-knows-no-module',
      { path: '^src/server/platform/', pathNot: TESTS },
      { path: '^src/', pathNot: '^src/(contract|server/platform)/' },
    ),
    ...PLATFORM_LAYERS.map((layer, index) =>
      rule(
        `platform-order:${layer}`,
        { path: `${P}${layer}/`, pathNot: TESTS },
        { path: P, pathNot: `${P}(${PLATFORM_LAYERS.slice(0, index + 1).join('|')})/` },
      ),
    ),
    rule('platform-order:unlisted', { path: P, pathNot: `${P}(${PLATFORM_LAYERS.join('|')})/` }, {}),
    // What all modules share of the game's business: types and rules of the domain, no service.
    rule(
      'domain-knows-no-module',
      { path: '^src/server/domain/', pathNot: TESTS },
      { path: '^src/', pathNot: '^src/(contract|server/(platform|domain))/' },
    ),
    rule('module-door-is-index', { path: `${M}([^/]+)/` }, { path: M, pathNot: [`${M}$1/`, '/index[.]ts$'] }),
    rule('module-doors-export-no-queries', { path: `${M}[^/]+/index[.]ts$` }, { path: '[.]queries[.]ts$' }),
    rule(
      'module-door-is-index-for-the-process',
      { path: '^src/server/(?!modules/|platform/|domain/)' },
      { path: M, pathNot: '/index[.]ts$' },
    ),
    ...Object.entries(MODULE_MAP).map(([module, uses]) =>
      rule(
        `module-map:${module}`,
        { path: `${M}${module}/`, pathNot: TESTS },
        { path: M, pathNot: `${M}(${[module, ...uses].join('|')})/` },
      ),
    ),
    rule('module-map:unlisted', { path: M, pathNot: `${M}(${modules.join('|')})/` }, {}),
    rule(
      'module-knows-no-process',
      { path: M, pathNot: TESTS },
      { path: '^src/(server/(?!modules/|platform/|domain/)|web/|admin/|client/|ui/)' },
    ),
    rule(
      'sql-behind-service',
      { path: '[.](routes|operator|jobs|rules)[.]ts$' },
      { path: '[.]queries[.]ts$' },
    ),
    rule(
      'rules-are-pure',
      { path: '[.]rules[.]ts$', pathNot: '^tests/' },
      {
        path: '^(src/server/|node:|fs$|net$|https?$)|node_modules/(pg|kysely|fastify)/',
        pathNot: '[.](rules|errors)[.]ts$',
      },
    ),
    // Another's program: it knows of the portal what the contract says, so that it proves the contract.
    rule(
      'game-server-knows-the-contract-only',
      { path: '^src/game-server/', pathNot: TESTS },
      { path: '^(src|tests|scripts)/', pathNot: '^src/(contract|game-server)/' },
    ),
    // Beside a real game's database: it answers the same calls, and reads and checks them with the same functions.
    rule(
      'game-adapter-knows-the-contract-only',
      { path: '^src/game-adapter/', pathNot: TESTS },
      {
        path: '^(src|tests|scripts|seeds)/',
        pathNot: ['^src/(contract|game-adapter)/', '^src/game-server/(reading|http-calls|world)[.]ts$'],
      },
    ),
    rule(
      'nobody-imports-the-game-server',
      // Moving in reads the game's table by the adapter's file and connection (decision 0070).
      { path: '^src/', pathNot: ['^src/game-(server|adapter)/', '^src/server/cli/game-table[.]ts$', TESTS] },
      { path: '^src/game-(server|adapter)/' },
    ),
    rule('browser-never-imports-server', { path: '^src/(web|admin|client|ui)/' }, { path: '^src/server/' }),
    rule('server-never-imports-browser', { path: '^src/server/' }, { path: '^src/(web|admin|client|ui)/' }),
    rule(
      'player-and-operator-never-meet',
      { path: '^src/(web|admin)/' },
      { path: '^src/(web|admin)/', pathNot: '^src/$1/' },
    ),
    rule(
      'player-never-sees-operator-contract',
      { path: '^src/(web|ui)/' },
      { path: '^src/contract/operator/' },
    ),
    rule(
      'player-contract-knows-no-operator-contract',
      { path: '^src/contract/', pathNot: '^src/contract/operator/' },
      { path: '^src/contract/operator/' },
    ),
    rule(
      'features-never-import-features',
      { path: '^src/(web|admin)/features/([^/]+)/' },
      { path: '^src/$1/features/', pathNot: '^src/$1/features/$2/' },
    ),
    // One way through each site: what it stands on ← parts that features share ← features ← the frame and its routes.
    rule(
      'site-ground-never-imports-upwards',
      {
        path: '^src/(web|admin)/',
        pathNot: '^src/(web|admin)/((parts|kit|features|shell)/|(router|routes|screens|entry-))',
      },
      { path: '^src/(web|admin)/((parts|kit|features|shell)/|(router|routes|screens|entry-))' },
    ),
    rule(
      'parts-never-import-upwards',
      { path: '^src/(web/parts|admin/kit)/' },
      { path: '^src/(web|admin)/((features|shell)/|(router|routes|screens|entry-))' },
    ),
    // It asks before what was filled in is lost.
    rule(
      'console-dialogs-are-of-the-kit',
      { path: '^src/admin/', pathNot: '^src/admin/kit/dialog[.]tsx$' },
      { path: '^src/ui/dialog[.]tsx$' },
    ),
    rule(
      'features-never-import-the-frame',
      { path: '^src/(web|admin)/features/' },
      { path: '^src/(web|admin)/(shell/|(router|routes|screens|entry-))' },
    ),
    rule(
      'the-frame-never-imports-routes',
      { path: '^src/(web|admin)/shell/' },
      { path: '^src/(web|admin)/(router|routes|entry-)' },
    ),
    rule(
      'features-are-loaded-when-wanted',
      { path: '^src/(web|admin)/(shell/|(router|routes|screens|entry-))', pathNot: TESTS },
      { path: '^src/(web|admin)/features/', dependencyTypesNot: ['dynamic-import'] },
    ),
    rule('no-production-import-of-tests', { path: '^src/', pathNot: TESTS }, { path: `(^tests/|${TESTS})` }),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.]css$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
