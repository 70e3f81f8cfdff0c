import { functionGuard, guardsIn, type ProgramGuard } from './guard.ts'

const M = 'src/server/modules'
const SECURITY = 'tests/security'
const PLATFORM = 'src/server/platform'

const names = [
  ...guardsIn(`${M}/accounts/accounts.rules.ts`, `${M}/accounts/accounts.rules.test.ts`, {
    'look-alikes of letters are read as letters': `  [/0/g, 'o'],\n`,
    'the portal’s name is reserved': 'reading === folded ||',
  }),
  ...guardsIn(`${M}/accounts/accounts.service.ts`, `${M}/accounts/accounts.db.test.ts`, {
    'no player is called as staff is':
      'if (isStaffName(account.username, (await readSettings(db)).siteName)) throw staffName()',
  }),
  ...guardsIn(`${M}/accounts/accounts.service.ts`, `${M}/accounts/accounts.db.test.ts`, {
    'no name or password is taken that the game does not take': [
      'if (fault !== null) throw invalidField(field, fault)',
      '{}',
    ],
    'no new password is set that the game does not take': [
      'passwordLimitFault(await findGameLimits(db), password)\n  if',
      'null\n  if',
    ],
  }),
  ...guardsIn(`${M}/accounts/accounts.service.ts`, `${M}/tournaments/names.db.test.ts`, {
    'no name that others read poses as staff': 'posesAsStaff(name, siteName) ||',
  }),
]

const game = [
  ...guardsIn(`${M}/sessions/game-logins.routes.ts`, `${M}/sessions/game-logins.db.test.ts`, {
    'only the game asks about logins': [
      'if (!isSignedGameCall(deps.gameSecrets, call, deps.clock.now().getTime())) {',
      'if (false) {',
    ],
  }),
  ...guardsIn(`${M}/sessions/game-logins.service.ts`, `${M}/sessions/game-logins.db.test.ts`, {
    'the address of an accepted login of the game is known':
      'if (account.bannedUntil === null) await rememberAddress(deps, { userId: account.id, caller })',
    'a login of the game counts for the player’s address': ['address: login.address', `address: '127.0.0.1'`],
    'a ban keeps a player out of the game': ['if (bannedUntil !== null) {', 'if (false) {'],
  }),
  ...guardsIn(`${M}/sessions/verified-passwords.ts`, `${M}/sessions/verified-passwords.test.ts`, {
    'a verified password counts for the hash that it was checked against':
      'verified.passwordHash === passwordHash &&',
    'a verified password counts for ten minutes': [' &&\n      this.#now() < verified.until', ''],
    'a wrong password ends what was verified': 'if (!isRight) this.#byAccount.delete(id)',
  }),
  ...guardsIn(`${M}/accounts/accounts.service.ts`, `${M}/game-accounts/game-accounts.db.test.ts`, {
    'a ban reaches the game': `if (ban.scope === 'sign-in') await recordAccountChange(tx, ban.userId)`,
    'a changed password reaches the game':
      'await recordAccountChange(tx, change.userId, { isPasswordNew: true })',
    'a reset password reaches the game': 'await recordAccountChange(tx, userId, { isPasswordNew: true })',
  }),
  ...guardsIn(`${M}/purchases/comparison.service.ts`, `${M}/game-accounts/game-accounts.db.test.ts`, {
    'a game that was set back is told about accounts again': '  await resendAccounts(db, comparison.since)\n',
  }),
  ...guardsIn(`${M}/traders/traders.service.ts`, `${M}/game-accounts/game-accounts.db.test.ts`, {
    'an activation reaches the game': 'await recordAccountChange(tx, activation.userId)',
  }),
  ...guardsIn(`${M}/sessions/sessions.service.ts`, `${M}/game-accounts/game-accounts.db.test.ts`, {
    'a name of the game is nobody else’s': 'if (await deps.isNameInGame(username)) throw usernameTaken()',
  }),
  ...guardsIn(`${M}/game-accounts/game-accounts.service.ts`, `${M}/game-accounts/game-door.db.test.ts`, {
    'a game that does not say whether it has a name gives none away': [
      "    throw new Refusal('UNAVAILABLE', {",
      "    if (error) return false\n    throw new Refusal('UNAVAILABLE', {",
    ],
    'a game that takes back that it keeps accounts leaves a trace': [
      'before === areKept || before === null',
      'before !== undefined',
    ],
  }),
  ...guardsIn(`${M}/game-accounts/game-accounts.service.ts`, `${M}/personal-data/told-game.db.test.ts`, {
    'an erasure reaches the game': [
      'if (!(await upsertErasure(tx, person))) await deleteChangeOf(tx, person)',
      'await deleteChangeOf(tx, person)',
    ],
    'the name of an erased player is not kept for a game without accounts':
      '      await deleteUntellableErasures(deps.db)\n',
  }),
  ...guardsIn(`${M}/game-accounts/account-changes.queries.ts`, `${M}/personal-data/told-game.db.test.ts`, {
    'nothing is left of the name of an erased player once the game was told': [
      'if (isErased) {',
      'if (isErased && version === "") {',
    ],
    'an erased account is closed in the game for good': [
      'CASE WHEN c.erased_account IS NOT NULL THEN ${BAN_FOREVER}::timestamptz\n           WHEN',
      'CASE WHEN',
    ],
  }),
  ...guardsIn(`${M}/game-bridge/game-answers.rules.ts`, `${M}/game-accounts/game-door.db.test.ts`, {
    'a name is free by the whole answer of the contract alone': [
      "status: z.enum(['known', 'unknown']), version: z.nullable(z.int())",
      "status: z.enum(['known', 'unknown'])",
    ],
  }),
  ...guardsIn(`${M}/game-bridge/http-game.client.ts`, `${M}/game-bridge/odd-answers.test.ts`, {
    'an answer of the game is not packed': [
      ' &&\n  (contentEncoding === undefined || /^identity$/i.test(contentEncoding))',
      '',
    ],
    'an answer of the game counts with 200 alone': [
      'if (status !== 200) throw new Error(`the game answered HTTP ${status}`)',
      '',
    ],
    'a page is no answer of the game': [
      'contentType === undefined || /^application\\/json *(;|$)/i.test(contentType)',
      'contentType !== null',
    ],
    'a game has charges until it says otherwise itself': [
      'described !== null && described.charges !== true',
      'true',
    ],
  }),
  ...guardsIn(`${M}/game-bridge/game-answers.rules.ts`, `${M}/game-bridge/odd-answers.test.ts`, {
    'a list of another program empties nothing':
      'if (rows.length === 0 && given.length > 0) throw new Error(`no row of the list can be read (${why[0]})`)',
    'goods are collected by an answer about a delivery alone': '  ...knowledgeSchema.shape,\n',
  }),
]

const ranked = [
  ...guardsIn(`${M}/ranking/ranking.queries.ts`, `${M}/ranking/ranking-days.db.test.ts`, {
    'rankings: who was banned meanwhile is not shown': [
      '(u.ban_until IS NULL OR u.ban_until <= now())\n',
      'true\n',
    ],
    'rankings: who became an operator meanwhile is not shown':
      'AND NOT EXISTS (SELECT FROM user_roles r WHERE r.user_id = u.id)',
  }),
  ...guardsIn(`${M}/ranking/ranking.queries.ts`, `${M}/ranking/recharges.db.test.ts`, {
    'rankings: nobody is shown among the recharges who does not want to be': [
      `(g.source = 'game' OR n.user_id IS NOT NULL)`,
      'true',
    ],
  }),
  ...guardsIn(`${M}/ranking/refresh.queries.ts`, `${M}/ranking/recharges.db.test.ts`, {
    'rankings: a recharge that was taken back does not count':
      'AND NOT EXISTS (SELECT FROM ledger_transfer back WHERE back.reverses_id = t.id)',
    'rankings: recharges count from the beginning of their time': ' AND t.created_at >= ${since}',
    'rankings: recharges count to the end of their time': [
      `AND t.created_at < coalesce(\${until}::timestamptz, 'infinity')`,
      `AND coalesce(\${until}::timestamptz, 'infinity') > to_timestamp(0)`,
    ],
  }),
  ...guardsIn(`${M}/ranking/refresh.queries.ts`, `${M}/ranking/ranking.db.test.ts`, {
    'rankings: operators and banned players have no place': [' AND u.may IS NOT FALSE', ''],
  }),
  ...guardsIn(`${M}/ranking/refresh.queries.ts`, `${M}/ranking/ranking-days.db.test.ts`, {
    'rankings: a page is stored for the run that holds the claim': [
      'WHERE id = ${id}::bigint AND claimed_run = ${run}::uuid RETURNING id',
      'WHERE id = ${id}::bigint AND ${run}::uuid IS NOT NULL RETURNING id',
    ],
    'rankings: a ranking is stored by the run that holds the claim': [
      'WHERE id = ${id}::bigint AND claimed_run = ${run}::uuid RETURNING 1',
      'WHERE id = ${id}::bigint AND ${run}::uuid IS NOT NULL RETURNING 1',
    ],
    'rankings: what a run that failed had read is removed': [
      'remains AS (DELETE FROM ranking_staging r USING due WHERE r.group_id = due.id)',
      'remains AS (SELECT)',
    ],
    'rankings: a day is stored once, as it ended': [
      ' < ${dayOf(sql`now()`)}\n',
      ' <= ${dayOf(sql`now()`)}\n',
    ],
  }),
  ...guardsIn(`${M}/ranking/refresh.service.ts`, `${M}/ranking/ranking-days.db.test.ts`, {
    'rankings: a game without pages is read once': [' || added === 0', ''],
    'rankings: a board is read to a bounded depth': ['offset < RANKING_DEPTH', 'offset < 100_000'],
  }),
  ...guardsIn(`${M}/ranking/nickname.service.ts`, `${M}/ranking/recharges.db.test.ts`, {
    'rankings: nicknames are changed so many times a day': 'await limits.consume(NAMES_PER_PLAYER, userId)',
    'rankings: a nickname has readable letters only':
      'if (nickname !== null && key === null) throw nicknameUnclear()',
    'rankings: a nickname is three letters long':
      'if (key !== null && key.length < LETTERS_MIN) throw nicknameShort()',
    'rankings: nobody is called as staff or an account is': 'await assertNicknameFree(tx, { nickname, key })',
    'rankings: being shown is recorded as a consent':
      "await recordChoice(tx, userId, { subject: 'ranking', given: nickname !== null, source: 'profile' })",
  }),
]

const imported = [
  ...guardsIn(`${M}/accounts/password-hasher.ts`, `${M}/accounts/password-hasher.test.ts`, {
    'a hash of a digest takes the password alone': [
      'verify(storedHash.slice(OF_MD5.length), md5Of(password))',
      'verify(storedHash.slice(OF_MD5.length), password)',
    ],
    'an import leaves a thread to its connections': [
      'Array.from({ length: importHashesAtOnce(availableParallelism(), THREADS) }, work)',
      'all.map(work)',
    ],
  }),
  ...guardsIn(
    `${M}/account-import/account-import.service.ts`,
    `${M}/account-import/account-import.db.test.ts`,
    {
      'a doubled name is nobody’s': [
        `return doubled.has(name.toLowerCase()) ? 'doubled-name' : undefined`,
        'return undefined',
      ],
      'an account comes over once': ['if (nameImported === name.toLowerCase()) {', 'if (false) {'],
      'an import has its row in the trail': ['if (!isFirst) return', 'return'],
    },
  ),
  ...guardsIn(`${M}/account-import/account-import.service.ts`, 'tests/db/import-accounts.db.test.ts', {
    'the game gets the names of accounts that came over': [
      '.filter(([key, newName]) => imported.get(key) === newName.toLowerCase())',
      '',
    ],
  }),
  ...guardsIn(`${M}/accounts/moved-accounts.service.ts`, `${M}/account-import/account-import.db.test.ts`, {
    'no imported name is reserved for staff': `else if (isStaffName(name, siteName)) faults.set(name, 'staff-name')`,
    'an erased name does not come back': `else if (erased.has(name.toLowerCase())) faults.set(name, 'erased-name')`,
  }),
]

const calls = [
  ...guardsIn(
    `${PLATFORM}/http/api.ts`,
    [`${SECURITY}/access.db.test.ts`, `${SECURITY}/permissions.db.test.ts`],
    {
      'a call takes a session': [
        `if (identity === null) throw new Refusal('UNAUTHENTICATED')`,
        'if (identity === null) return null as never',
      ],
      'an operator’s call takes its permission': [`throw new Refusal('FORBIDDEN')`, 'return'],
      'a console session makes operator calls and no others': `(access === 'user') !== (kind === 'player') || `,
    },
  ),
  ...guardsIn(`${PLATFORM}/http/api.ts`, `${M}/sessions/operator-sessions.db.test.ts`, {
    'an open call knows players only': [
      `return identity?.kind === 'player' ? identity : null`,
      'return identity',
    ],
  }),
  ...guardsIn(
    `${PLATFORM}/http/api.ts`,
    [`${SECURITY}/access.db.test.ts`, `${M}/sessions/operator-sessions.db.test.ts`],
    {
      'a locked console session does nothing': [`(isLocked && access !== 'console')`, 'false'],
    },
  ),
  ...guardsIn(`${M}/audit/operator-list.service.ts`, `${M}/recharge/operator-orders.db.test.ts`, {
    'a long file ends when its reader may read no more':
      'if (last !== undefined) await assertStillPermitted(api, endpoint, request)',
  }),
  ...guardsIn(`${PLATFORM}/http/api.ts`, `${M}/alarms/alarms.db.test.ts`, {
    'a locked session follows no stream': ['return identity?.isLocked ? null : identity', 'return identity'],
  }),
  ...guardsIn(`${M}/alarms/alarms.rules.ts`, `${M}/alarms/alarms.db.test.ts`, {
    'an operator is notified only of what they may read': [
      '[ALARMS[name].permission].flat().some((one) => permissions.includes(one))',
      'true',
    ],
  }),
  ...guardsIn(`${PLATFORM}/http/api.ts`, `${SECURITY}/limits.db.test.ts`, {
    'calls of an address are counted': [
      'return overLimitOf(this.#options.limits, CALLS_PER_ADDRESS, clientKey(request.ip))',
      'return null',
    ],
    'calls of a session are counted': [
      'return overLimitOf(this.#options.limits, CALLS_PER_SESSION, identity.sessionId)',
      'return null',
    ],
  }),
  ...guardsIn(`${PLATFORM}/http/api.ts`, `${SECURITY}/answers.db.test.ts`, {
    'an answer has listed fields only': [
      'const shown = endpoint.answer.parse(answer) as object',
      'const shown = answer as object',
    ],
  }),
  ...guardsIn(`${PLATFORM}/http/api.ts`, `${SECURITY}/answers.db.test.ts`, {
    'answers to the signed-in are not cached': [
      `reply.header('cache-control', 'no-store')\n        if (!endpoint.answer)`,
      `void reply\n        if (!endpoint.answer)`,
    ],
  }),
]

const acts = [
  ...guardsIn(
    `${PLATFORM}/http/api.ts`,
    [`${SECURITY}/money-settings.db.test.ts`, `${M}/players/acts.db.test.ts`],
    {
      'what a stolen session must not do takes a fresh proof': [
        `throw new Refusal('STEP_UP_REQUIRED')`,
        'return',
      ],
    },
  ),
  ...guardsIn(
    `${M}/audit/operator-act.service.ts`,
    [`${SECURITY}/operator-acts.db.test.ts`, `${M}/players/acts.db.test.ts`],
    {
      'an act is in the trail': 'for (const one of recorded) await appendAudit(tx, { ...entry, ...one })',
      'an act is done once for its key': [
        'key === null ? null : { scope:',
        'key !== undefined ? null : { scope:',
      ],
      'acts of one operator are no faster than a person': [
        `sharedLimit('operator-acts', 120, 60)`,
        `sharedLimit('operator-acts', 120_000, 60)`,
      ],
    },
  ),
  ...guardsIn(
    `${M}/proposals/deciding.service.ts`,
    [`${SECURITY}/money-settings.db.test.ts`, `${M}/proposals/proposals.db.test.ts`],
    {
      'a decision takes the permission of its kind':
        'for (const permission of needed) assertPermitted({ identity, request }, permission)',
      'a proposal is decided once': `if (proposal.state !== 'waiting') throw alreadyDecided()`,
      'the second person is another': `if (act !== 'withdraw' && isOwn) throw ownProposal()`,
      'only the proposer withdraws': `if (act === 'withdraw' && !isOwn) throw othersProposal()`,
      'an outdated proposal is not carried out': [
        'if (!(await carryOut(deps, tx, { proposal: stated, by }))) throw outdatedProposal()',
        'await carryOut(deps, tx, { proposal: stated, by })',
      ],
    },
  ),
  ...guardsIn(
    `${M}/settings/changing.service.ts`,
    [
      `${SECURITY}/money-settings.db.test.ts`,
      `${M}/settings/settings.db.test.ts`,
      `${M}/proposals/proposals.db.test.ts`,
    ],
    {
      'a setting takes the permission of its section':
        'for (const one of sections) assertPermitted(call, `settings.${one}`)',
      'prices and settings of money wait for a second person': [
        'const proposals = isGuarded ? await proposeEach(deps, tx, { changes, call }) : []',
        'const proposals: OperatorProposal[] = []',
      ],
      'a setting that others changed is not overwritten': [
        'if (newestOf(stored, keys) !== (updatedAt === null ? null : Date.parse(updatedAt)))',
        'if (keys.length < 0)',
      ],
      'a proposal replaces what it was made for': 'present !== before || ',
      'a proposed value passes the rule of today':
        ' || !z.safeParse(settingDefinitions[subject].schema, after).success',
    },
  ),
  ...guardsIn(`${M}/players/adjusting.service.ts`, `${M}/players/acts.db.test.ts`, {
    'nobody adjusts their own balance': 'if (userId === identity.userId) throw ownAccount()',
    'nothing is taken that a wallet does not hold': 'if (balance + amount < 0) throw walletHolds(balance)',
    'a wallet stays exact': 'if (balance + amount > COINS_MAX) throw walletFull()',
  }),
]

const CHAINS = [`${M}/audit/chain.db.test.ts`]
const trail = [
  functionGuard(
    'the trail: an act waits for no other',
    ['audit_append', ' SKIP LOCKED', ''],
    [`${M}/audit/audit.db.test.ts`],
  ),
  ...guardsIn(`${M}/audit/audit.service.ts`, CHAINS, {
    'the trail: a line ends at its head': [
      'const isEnd = start.seq === end.seq && start.hash.equals(end.hash)',
      'const isEnd = true',
    ],
    'the trail: nothing stands behind a head': 'faults.push(...(await listBeyond(db)))',
    'the trail: what a seal names is there':
      'faults.push(...(await missedBySeals(db, sealed.length > 0 ? since : WHOLE, seal)))',
    'the trail: seals are chained': [
      'const faults = await listSealFaults(db, seal)',
      'const faults: ChainFault[] = []',
    ],
  }),
  ...guardsIn(`${M}/audit/chain.queries.ts`, CHAINS, {
    'the trail: a fault is reported until it is repaired': [`faults === 0 ? seal : '0'`, 'seal'],
  }),
]

/** Who may do what. */
export const peopleGuards: ProgramGuard[] = [
  ...names,
  ...game,
  ...ranked,
  ...imported,
  ...calls,
  ...acts,
  ...trail,
]
