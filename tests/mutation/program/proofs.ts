import { guardsIn, type ProgramGuard } from './guard.ts'

const M = 'src/server/modules'
const SECURITY = 'tests/security'

const QUEUES = 'src/server/platform/queues'
const QUEUES_TEST = `${QUEUES}/due-rows.db.test.ts`

const queues = [
  ...guardsIn(`${QUEUES}/due-rows.ts`, QUEUES_TEST, {
    'a due row that fails leaves the others': [
      'return recordFailed(db, { job, subject, error, leaseSeconds })',
      'throw error',
    ],
    'a due row that failed rests': ['AND NOT ${isDue(', 'AND false AND NOT ${isDue('],
    'what fails together is done in halves': ['await workTogether(all, some.slice(0, half))', 'throw error'],
    'rows of one kind are no failures of another': [
      'known.filter((subject) => subject.startsWith(prefix))',
      'known',
    ],
  }),
  ...guardsIn(`${QUEUES}/claiming.ts`, QUEUES_TEST, {
    'a row that cannot be leased leaves the others': [
      'await recordFailed(db, { job, subject, error })',
      'throw error',
    ],
    'what cannot be leased rests': [
      'sql<boolean>`NOT ${isResting(id)}`',
      'sql<boolean>`(NOT ${isResting(id)} OR true)`',
    ],
  }),
  ...guardsIn(`${QUEUES}/failed-work.ts`, QUEUES_TEST, {
    'what is leased rests for as long as its lease': [
      'Math.max(RETRY_SECONDS, leaseSeconds)',
      'RETRY_SECONDS',
    ],
    'any error is recorded': [`.replaceAll('\\u0000', '')`, `.replaceAll('\\u0000', '0')`],
  }),
  ...guardsIn(`${QUEUES}/queue-jobs.ts`, 'tests/db/poisoned-loops.db.test.ts', {
    'a rare loop tries again when it is time': ['wakeLoops(await readFailures(db))', 'wakeLoops([])'],
  }),
  ...guardsIn('src/server/platform/values/each.ts', 'src/server/platform/values/each.test.ts', {
    'one that fails leaves those behind it': ['failures.push({ name: nameOf(one), error })', 'throw error'],
  }),
  ...guardsIn(`${M}/posts/views.service.ts`, `${M}/posts/views.db.test.ts`, {
    'a view that cannot be written leaves the others': [
      'views.length === 1 || sqlState(error) === undefined',
      'true',
    ],
  }),
]

const CLOCKS = 'tests/db/clocks.db.test.ts'
const clocks = [
  ...guardsIn('src/server/platform/db/due.ts', CLOCKS, {
    'what waits for a moment too far ahead is due': ' OR ${isTooFarAhead(at, longestSeconds)}',
    'what happened ahead of now is past': ' OR ${isTooFarAhead(at, 0)}',
  }),
  ...guardsIn(`${M}/purchases/worker.queries.ts`, CLOCKS, {
    'a delivery that sleeps is woken': [
      'AND ${isTooFarAhead(sql`due.next_attempt_at`, DELAY_SECONDS_MAX)}',
      'AND ${DELAY_SECONDS_MAX}::integer < 0',
    ],
  }),
  ...guardsIn(
    `${M}/bank-inbox/gateway-refunds/gateway-refunds.rules.ts`,
    `${M}/bank-inbox/gateway-refunds/gateway-refunds.rules.test.ts`,
    { 'a clock that jumped fails no refund': ' && queries >= ARRIVED_QUERIES' },
  ),
  ...guardsIn(
    `${M}/game-accounts/account-changes.queries.ts`,
    `${M}/game-accounts/game-accounts.db.test.ts`,
    {
      'the game takes what comes after a clock that was ahead': [
        'SELECT CASE WHEN last.version < last.clock THEN',
        'SELECT CASE WHEN true THEN',
      ],
    },
  ),
  ...guardsIn(`${M}/bank-inbox/intake/settlement.queries.ts`, CLOCKS, {
    'money that came while a clock was ahead is swept up': [
      'isPast(sql`received_at`, graceSeconds)',
      'sql<boolean>`received_at < now() - make_interval(secs => ${graceSeconds})`',
    ],
  }),
  ...guardsIn(`${M}/purchases/deliveries.rules.ts`, `${M}/purchases/deliveries.rules.test.ts`, {
    'a clock that jumped parks no delivery': ' && tried.attempt >= ATTEMPTS_OF_A_DAY',
  }),
  ...guardsIn(`${M}/second-factor/second-factor.rules.ts`, `${M}/second-factor/second-factor.rules.test.ts`, {
    'a clock that was ahead bars no code': ' || lastStep > step + STEPS_AHEAD_MAX',
  }),
]

const roles = guardsIn('src/server/platform/db/app-role.ts', 'tests/db/owner-role.db.test.ts', {
  'another password of the owner leaves running processes their role': [
    'return (await stateOf(client, other)).isUsed ? role : { url: other, other: url, database }',
    'return role',
  ],
  'the role of the password before is closed': [
    'return mayLogIn && !isUsed',
    'return mayLogIn && !isUsed && false',
  ],
  'a role that a process uses is not closed': ['return mayLogIn && !isUsed', 'return mayLogIn'],
})

const sessions = [
  ...guardsIn(
    `${M}/sessions/sessions.queries.ts`,
    [
      `${M}/sessions/sessions.db.test.ts`,
      `${SECURITY}/session-tokens.db.test.ts`,
      `${M}/sessions/operator-sessions.db.test.ts`,
    ],
    {
      'a session ends at its age': ['sql<boolean>`s.expires_at > now()', 'sql<boolean>`true'],
      'a session ends unused': [
        's.last_used_at > now() - make_interval(days => ${IDLE_DAYS_MAX}::integer)',
        'true',
      ],
      'a console session ends after twelve hours': [
        `kind === 'console' ? CONSOLE_AGE_HOURS_MAX : AGE_DAYS_MAX * 24`,
        'AGE_DAYS_MAX * 24',
      ],
      'an idle console session is locked': [
        `s.kind = 'console' AND \${isPast(sql\`s.last_used_at\`, CONSOLE_IDLE_MINUTES * 60)}\n             AS "isLocked"`,
        `false AS "isLocked"`,
      ],
      'a player ends sessions of their own': [
        `WHERE id = \${id}::bigint AND user_id = \${userId}::bigint RETURNING id\``,
        `WHERE id = \${id}::bigint AND \${userId}::bigint IS NOT NULL RETURNING id\``,
      ],
      'sessions of one player are bounded': ['OFFSET ${SESSIONS_MAX})', 'OFFSET 1000000 + ${SESSIONS_MAX})'],
    },
  ),
  ...guardsIn(
    `${M}/sessions/sessions.queries.ts`,
    [`${SECURITY}/money-settings.db.test.ts`, `${M}/second-factor/second-factor.db.test.ts`],
    {
      'a step-up ends': [
        'CASE WHEN s.step_up_at > now() - make_interval(mins => ${STEP_UP_MINUTES}::integer)',
        'CASE WHEN s.step_up_at IS NOT NULL',
      ],
    },
  ),
  ...guardsIn(
    `${M}/sessions/sessions.queries.ts`,
    [`${SECURITY}/ended-sessions.db.test.ts`, `${M}/passwords/change-password.db.test.ts`],
    {
      'a session stands on the password of now': [
        ' AND password_hash = ${passwordHash} FOR NO KEY UPDATE',
        ' AND ${passwordHash}::text IS NOT NULL FOR NO KEY UPDATE',
      ],
      'every process is notified of an ended session': `    notify(db, 'session_ended', id)\n`,
    },
  ),
  ...guardsIn(
    `${M}/sessions/session-opening.service.ts`,
    [
      `${M}/second-factor/second-factor.db.test.ts`,
      `${M}/players/bans.db.test.ts`,
      `${M}/passwords/resets.db.test.ts`,
      `${M}/sessions/operator-sessions.db.test.ts`,
    ],
    {
      'who is banned from signing in gets no session': 'if (ban) throw signInBanned(ban)',
      'a session takes the second factor': [
        'if (!(await acceptProof(tx, { userId, proof }))) {',
        'if (!(await acceptProof(tx, { userId, proof })) && userId.length < 0) {',
      ],
    },
  ),
  ...guardsIn(
    `${M}/sessions/sessions.service.ts`,
    [`${M}/sessions/operator-sessions.db.test.ts`, `${M}/sessions/login.db.test.ts`],
    {
      'a wrong password opens nothing': [
        'if (found === undefined || !isRight) throw refusedLogin(deps, found, caller)',
        'if (found === undefined) throw refusedLogin(deps, found, caller)',
      ],
      'the console is for holders of a role':
        'if (invite === undefined && !(await mayEnterConsole(db, userId))) throw notAnOperator()',
      'operators have long passwords': 'if (!isLongPassword(password)) throw operatorPasswordShort()',
      'the console takes a second factor': `if (kind === 'console' && proof.kind === 'none') throw operatorNotProved()`,
    },
  ),
  ...guardsIn(
    `${M}/sessions/sessions.errors.ts`,
    [`${SECURITY}/login-throttle.db.test.ts`, `${SECURITY}/limits.db.test.ts`],
    {
      'wrong logins of an account from an address': [
        `sharedLimit('login-pair', 10, 300)`,
        `sharedLimit('login-pair', 10_000, 300)`,
      ],
      'wrong logins of an account': [
        `sharedLimit('login-account', 50, 3_600)`,
        `sharedLimit('login-account', 50_000, 3_600)`,
      ],
      'wrong logins of an address': [
        `sharedLimit('login-address', 200, 600)`,
        `sharedLimit('login-address', 200_000, 600)`,
      ],
      'names that nobody has, of an address': [
        `sharedLimit('login-address-unknown', 200, 600)`,
        `sharedLimit('login-address-unknown', 200_000, 600)`,
      ],
      'wrong logins of a known device': [
        `sharedLimit('login-device', 10, 300)`,
        `sharedLimit('login-device', 10_000, 300)`,
      ],
      'registrations of an address': [
        `sharedLimit('registrations', 30, 3_600)`,
        `sharedLimit('registrations', 30_000, 3_600)`,
      ],
    },
  ),
]

const proofs = [
  ...guardsIn(`${M}/second-factor/second-factor.queries.ts`, `${M}/second-factor/second-factor.db.test.ts`, {
    'a code of the app is taken once': [
      '\n       AND (last_step < ${step} OR last_step > ${step + STEPS_AHEAD_MAX})',
      '',
    ],
    'a clock that was ahead takes no later code': ' OR last_step > ${step + STEPS_AHEAD_MAX}',
    'a recovery code is taken once': [
      ` SET used_at = clock_timestamp()\n     WHERE user_id = \${userId}::bigint AND code_hash = \${codeHash} AND used_at IS NULL`,
      ` SET used_at = clock_timestamp()\n     WHERE user_id = \${userId}::bigint AND code_hash = \${codeHash}`,
    ],
    'a second factor that is on is not replaced': ['WHERE second_factor.confirmed_at IS NULL`', '`'],
  }),
  ...guardsIn(`${M}/second-factor/second-factor.service.ts`, `${M}/second-factor/second-factor.db.test.ts`, {
    'operators cannot turn off their second factor':
      'if (await holdsRole(deps.db, userId)) throw operatorsKeepTheirs()',
  }),
  ...guardsIn(`${M}/second-factor/proofs.service.ts`, `${M}/second-factor/second-factor.db.test.ts`, {
    'wrong codes of a second factor are counted':
      'for (const limit of WRONG_CODES) await deps.limits.consume(limit, factor.userId)',
    'a wrong code proves nothing': [
      'if (proof === null) throw wrongSecondFactor()',
      `if (proof === null) return { kind: 'app', step: 2_000_000_000 }`,
    ],
  }),
  ...guardsIn(`${M}/otp/codes.rules.ts`, `${M}/otp/codes.rules.test.ts`, {
    'a spent code is dead': 'code.isSpent || ',
    'five wrong tries kill a code': 'code.wrongTries >= WRONG_TRIES_MAX || ',
    'a phone has so many tries a day': ' || code.triesToday >= dayTriesMax',
    'a code is verified in time': ' && code.ageSeconds < VERIFY_MINUTES_MAX * 60',
    'a code is used in time': ' && code.ageSeconds < CODE_AGE_MINUTES_MAX * 60',
    'a code by SMS is verified before it serves': `(code.channel !== 'phone' || code.isVerified) && `,
  }),
  ...guardsIn(
    `${M}/otp/otp.queries.ts`,
    [`${M}/otp/codes.db.test.ts`, `${SECURITY}/one-time-codes.db.test.ts`],
    {
      'of many who bring a code one verifies it': [
        '       FOR UPDATE`.execute(tx)\n  return rows[0]',
        '`.execute(tx)\n  return rows[0]',
      ],
      'a code is spent once': [' AND spent_at IS NULL AND wrong_tries', ' AND wrong_tries'],
      'a code is spent by who knows it': [
        'AND (${codeHash}::bytea IS NULL OR code_hash = ${codeHash})',
        'AND (${codeHash}::bytea IS NULL OR true)',
      ],
      'a new code does not bring new tries': [
        'made_at = clock_timestamp(), wrong_tries = 0,',
        'made_at = clock_timestamp(), wrong_tries = 0, tries_today = 0,',
      ],
    },
  ),
  ...guardsIn(
    `${M}/otp/codes.service.ts`,
    [`${SECURITY}/one-time-codes.db.test.ts`, `${M}/passwords/resets.db.test.ts`],
    {
      'guesses at a phone’s code are counted':
        'for (const { limit, key } of counted) await limits.consume(limit, key)',
    },
  ),
  ...guardsIn(`${M}/passwords/code-resets.service.ts`, `${M}/passwords/game-codes.db.test.ts`, {
    'the game opens no account whose contact was proved meanwhile': '!opens(own) || ',
    'the game opens no account with a proved contact': ['!hasProvedContact(found)', 'true'],
  }),
  ...guardsIn(`${M}/passwords/game-codes.service.ts`, `${M}/passwords/game-codes.db.test.ts`, {
    'the game shows no code of an account with a proved contact': 'hasProvedContact(account) || ',
    'a game that shows nothing is given no code': ' || !(await showsNotices(db))',
  }),
]

const AFTER_FAILOVER = 'tests/db/after-failover.db.test.ts'

/** What shows that a failover lost something. */
const failovers = [
  ...guardsIn('src/server/cli/log-kinds.ts', AFTER_FAILOVER, {
    'after a failover a movement with the number of a lost one is another by its amount':
      ' stored.amount === one.amount &&',
    'after a failover a movement with the number of a lost one is another by its request':
      ' &&\n    (stored.requestId ?? undefined) === one.requestId',
    'after a failover a movement that is not there is lost': [
      'stored !== undefined &&\n    stored.kind',
      'stored === undefined ||\n    stored.kind',
    ],
    'after a failover an account with the number of a lost one is another by when it was made': [
      'stored.get(userId)?.toISOString() === createdAt',
      'stored.has(userId)',
    ],
    'after a failover an act with the number of a lost one is another by what was done': [
      'row?.action === action',
      'row !== undefined',
    ],
    'after a failover an act with the number of a lost one is another by its subject':
      'row.subjectId === subjectId &&',
    'after a failover an act with the number of a lost one is another by its request': [
      '(row.requestId ?? undefined) === requestId',
      'true',
    ],
    'after a failover an order that is not there is lost': [
      '=> stored.has(orderCode)',
      '=> stored.size >= 0 || orderCode',
    ],
    'after a failover a payment event that is not there is lost': [
      '?.has(providerEventId) === true',
      ' !== null || providerEventId',
    ],
    'after a failover a reward that is not there is lost': [
      '=> stored.has(deliveryId)',
      '=> stored.size >= 0 || deliveryId',
    ],
  }),
  ...guardsIn('src/server/cli/own-log.ts', AFTER_FAILOVER, {
    'after a failover a log without a change proves nothing': ' && compared > 0',
    'after a failover a file without a line of the portal proves nothing': ' + empty',
    'after a failover a line that cannot be read proves nothing': [' + cut +', ' +'],
    'after a failover lines from before are not compared': '|| isBefore(time, since)',
    'after a failover a cut line from before is not named': 'isBefore(time, since) ? null : ',
  }),
  ...guardsIn('src/server/cli/after-failover.ts', AFTER_FAILOVER, {
    'after a failover a comparison that cannot be made is no success': [
      '    return false\n  }\n}',
      '    return true\n  }\n}',
    ],
    'after a failover the game’s record that lacks something is no success': [
      'return Math.max(...codes)',
      'return Math.min(0, ...codes)',
    ],
  }),
  ...guardsIn(`${M}/reconciliation/pull.queries.ts`, AFTER_FAILOVER, {
    'after a failover a transfer whose notification came later is not missing': [
      `again.signature = 'valid'`,
      `again.signature = 'none'`,
    ],
    'after a failover a notification on its way is waited for': [
      '<= clock_timestamp() AS "isDue"',
      'IS NOT NULL AS "isDue"',
    ],
  }),
]

/** How people prove who they are, and how long that counts. */
export const proofGuards: ProgramGuard[] = [
  ...clocks,
  ...queues,
  ...roles,
  ...sessions,
  ...proofs,
  ...failovers,
]
