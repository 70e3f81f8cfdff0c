import { guardsIn } from './guard.ts'

const FILE = 'deploy/game/PortalGame.java'

/** Of the part inside the game, as the rehearsal game has it. */
export const gameJavaGuards = [
  ...guardsIn(FILE, 'tests/rehearsal/collecting.db.test.ts', {
    'in the game: a claim is looked at again before it is given': [
      `WHERE id = ? AND status = 'applied' AND collected_at IS NULL FOR UPDATE`,
      `WHERE id = ? AND status = 'applied' FOR UPDATE`,
    ],
    'in the game: the row of a claim is locked': [
      `status = 'applied' AND collected_at IS NULL FOR UPDATE`,
      `status = 'applied' AND collected_at IS NULL`,
    ],
    'in the game: goods are given with the lock of the saves': [
      'synchronized (settings.lock) {\n                    work.run(claim);\n                }',
      'work.run(claim);',
    ],
    'in the game: memory is changed after the commit': [
      'isCommitted = commit(database, id, COLLECTED_AT, claim.now);',
      'change.run();\n            isCommitted = commit(database, id, COLLECTED_AT, claim.now);',
    ],
    'in the game: a commit whose answer was lost may have failed': [
      'return isCommitted(id, select, now);',
      'return isCommitted(id, select, now) || true;',
    ],
    'in the game: a commit whose answer was lost may have succeeded': [
      'return isCommitted(id, select, now);',
      'return isCommitted(id, select, now) && false;',
    ],
    'in the game: the transaction of a lost connection is ended': 'if (lostMark != null) endLost(opened);',
    'in the game: a gift may not commit': [
      'if (forbidden.contains(method.getName()))',
      'if (method.getName().isEmpty())',
    ],
    'in the game: a deadlock is tried again': [
      'if (problem.getErrorCode() == 1213 && attempt < ATTEMPTS) continue;',
      'if (problem.getErrorCode() == 1213 && attempt < ATTEMPTS) isStopped = true;',
    ],
  }),
  ...guardsIn(FILE, 'tests/rehearsal/charges.db.test.ts', {
    'in the game: a charge is looked at again before it is taken': [
      `WHERE id = ? AND status = 'asked' FOR UPDATE`,
      'WHERE id = ? FOR UPDATE',
    ],
    'in the game: memory is charged after the commit': [
      'isCommitted = commit(database, id, TAKEN_AT, now);',
      'change.run();\n            isCommitted = commit(database, id, TAKEN_AT, now);',
    ],
    'in the game: what there is too little of is refused': [
      `SET status = 'refused', reason = 'insufficient' WHERE`,
      `SET status = 'applied', reason = 'insufficient' WHERE`,
    ],
  }),
  ...guardsIn(FILE, 'tests/rehearsal/logins.db.test.ts', {
    'in the game: the address of the portal is one without path and password': [
      'if (!settings.portalUrl.matches(',
      'if (settings.portalUrl.isEmpty() && !settings.portalUrl.matches(',
    ],
    'in the game: a stored login needs the password': [
      '!MessageDigest.isEqual(stored.hash, hash(password, stored.salt))',
      'password == null',
    ],
    'in the game: a stored login is a day old at most': [
      'if (stored == null || !stored.isRecent)',
      'if (stored == null)',
    ],
    'in the game: a stored login ends with a changed password': `if (stored.isPasswordChanged) return away("Mật khẩu mới chưa kiểm tra được. ");`,
    'in the game: a ban closes a stored login':
      'if (stored.bannedUntil != null) return banned(null, stored.bannedUntil);',
    'in the game: a stored login needs fresh knowledge of bans': 'if (!stored.areBansKnown) return away("");',
    'in the game: passwords of stored logins are not tried for long':
      'if (countWrong(account, address, 0) >= WRONG_MAX) return answer(LoginResult.SLOW_DOWN, null);',
    'in the game: the portal bans a stored login too':
      'if (answer.result == LoginResult.BANNED) forgetHash(account);',
    'in the game: an answer is about the account that was asked for': [
      'if (name != null && !name.equalsIgnoreCase(account))',
      'if (name == null && account == null)',
    ],
    'in the game: an answer ends where its JSON ends': 'if (at < text.length()) throw wrong();',
    'in the game: a ban disconnects': ['if (bannedUntil != null) found', 'if (account == null) found'],
    'in the game: only a password changed since the login disconnects': [
      'changed.isAfter(accepted)',
      'changed.isAfter(Instant.EPOCH)',
    ],
  }),
]
