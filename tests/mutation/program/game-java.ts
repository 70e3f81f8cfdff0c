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
      'synchronized (settings.lock) {\n                collecting.endAfter(ms);',
      'synchronized (task) {\n                collecting.endAfter(ms);',
    ],
    'in the game: memory is changed after the commit': [
      'written.isCommitted = commit(task);',
      'written.change.run();\n        written.isCommitted = commit(task);',
    ],
    'in the game: a commit whose answer was lost may have failed': [
      'return row.next() && task.now.equals(row.getString(1));',
      'return row.next();',
    ],
    'in the game: a commit whose answer was lost may have succeeded': [
      'return row.next() && task.now.equals(row.getString(1));',
      'return row.next() && task.id.isEmpty();',
    ],
    'in the game: the transaction of a lost connection is ended': 'if (lostMark != null) endLost(opened);',
    'in the game: a gift may not commit': [
      'if (ENDS.contains(method.getName()))',
      'if (method.getName().isEmpty())',
    ],
    'in the game: a deadlock is tried again': [
      'if (isDeadlock && attempt < ATTEMPTS) continue;',
      'if (isDeadlock && attempt < ATTEMPTS) isStopped = true;',
    ],
  }),
  ...guardsIn(FILE, 'tests/rehearsal/charges.db.test.ts', {
    'in the game: a charge is looked at again before it is taken': [
      `WHERE id = ? AND status = 'asked' FOR UPDATE`,
      'WHERE id = ? FOR UPDATE',
    ],
    'in the game: what there is too little of is refused': [
      `SET status = 'refused', reason = 'insufficient' WHERE`,
      `SET status = 'applied', reason = 'insufficient' WHERE`,
    ],
    'in the game: of two processes one shows a notice': [
      'WHERE id = ? AND shown_at IS NULL AND expires_at',
      'WHERE id = ? AND expires_at',
    ],
    'in the game: a notice that ends before it is marked is not shown': [
      `AND shown_at IS NULL AND expires_at > UTC_TIMESTAMP(3)";`,
      `AND shown_at IS NULL";`,
    ],
    'in the game: a notice is shown once': ['if (markShown(notice.id)) show(notice);', 'show(notice);'],
    'in the game: a notice that has expired is not shown': [
      ' AND shown_at IS NULL AND expires_at > UTC_TIMESTAMP(3) ORDER',
      ' AND shown_at IS NULL ORDER',
    ],
  }),
  ...guardsIn(FILE, 'tests/rehearsal/lock.db.test.ts', {
    'in the game: what is done with the lock was tried without it': [
      'recording.play(database);\n        task.mark(database);',
      'task.mark(database);',
    ],
    'in the game: a connection that its driver has given up is opened anew':
      'if (connection != null && connection.isClosed()) abandon();',
    'in the game: a save is tried without the lock first':
      'if (recording != null) recording.play(saving.open());',
    'in the game: a character that was saved meanwhile is loaded again': [
      'if (!one.isOutdated) {',
      'if (add != null) {',
    ],
    'in the game: with the lock nobody waits for an answer that was lost': [
      'while (collecting.hasTime())',
      'while (collecting.hasTime() || task != null)',
    ],
    'in the game: what is known to be committed later comes into memory':
      'if (!written.isInMemory) changeLater(written);',
    'in the game: the older save of a log-out without the lock is mended': [
      'if (save == null) return false;',
      'if (save == null || save.change != null) return false;',
    ],
    'in the game: a character that was played again since is no older save': [
      'return one.before == null || one.before.play(comparing.open()) == 0;',
      'return true;',
    ],
    'in the game: a half lock is noticed': [
      'if (now != null && before.print().equals(now.print())) return false;',
      'if (now != null) return false;',
    ],
    'in the game: what was not in memory at the commit is saved with it': [
      'game.give(collecting.bounded(), of, Collections.emptyList(), SAVE);',
      '',
    ],
  }),
  ...guardsIn(FILE, 'tests/rehearsal/logins.db.test.ts', {
    'in the game: the address of the portal is one without path and password': [
      'if (!settings.portalUrl.matches(',
      'if (settings.portalUrl.isEmpty() && !settings.portalUrl.matches(',
    ],
    'in the game: an answer is about the account that was asked for': [
      'if (name != null && !account.equals(nameOf(name)))',
      'if (name == null && account == null)',
    ],
    'in the game: an answer ends where its JSON ends': 'if (at < text.length()) throw wrong();',
    'in the game: an answer names its account':
      'if (name == null) throw new PortalAway("an answer about no account");',
    'in the game: a portal that refuses a question is not away': 'if (away.isRefusal) return away("");',
    'in the game: a name is asked in its one form': [
      'return loginByPortal(name, password, from);',
      'return loginByPortal(account, password, from);',
    ],
    'in the game: a name has no letters of other alphabets': [
      'return name.matches("[!-~]+") ? lower(name) : null;',
      'return lower(name);',
    ],
    'in the game: a ban disconnects': ['if (bannedUntil != null) found', 'if (account == null) found'],
    'in the game: only a password changed since the login disconnects': [
      'changed.isAfter(accepted)',
      'changed.isAfter(Instant.EPOCH)',
    ],
  }),
  ...guardsIn(FILE, 'tests/rehearsal/kept-logins.db.test.ts', {
    // Compared before the row is looked at again and then: without one of both the other refuses.
    'in the game: a kept login needs the password': [
      'return isSame && !isOver && isStillKept(account, mix, change == null ? kept.hash : null);',
      'return !isOver;',
    ],
    'in the game: a kept login is a day old at most': [
      'l.account = ? AND NOT " + IS_TOO_OLD',
      'l.account = ?"',
    ],
    'in the game: a kept login is forgotten after a day': [
      'WHERE " + IS_TOO_OLD + " OR a.banned',
      'WHERE a.banned',
    ],
    'in the game: a ban closes a kept login at once': [
      'boolean isOver = kept.isBanned || ',
      'boolean isOver = ',
    ],
    'in the game: a kept login ends with a changed password at once': [
      'kept.passwordChangedAt.isAfter(kept.acceptedAt)',
      'kept.passwordChangedAt.equals(kept.acceptedAt)',
    ],
    'in the game: a kept login of a banned player is forgotten': [
      'OR a.banned_until > UTC_TIMESTAMP(3) OR',
      'OR',
    ],
    'in the game: a kept login is forgotten with its password': [
      ' OR a.password_changed_at > l.accepted_at LIMIT',
      ' LIMIT',
    ],
    'in the game: without a database a kept login needs a fresh look at bans': [
      'known.areBansKnown = isFresh && areBansKnown(accountsUntilSeen, null);',
      'known.areBansKnown = true;',
    ],
    'in the game: a kept login needs fresh knowledge of bans': 'if (!kept.areBansKnown) return away("");',
    'in the game: a refused password is forgotten':
      'if (answer.result == LoginResult.WRONG) forgetRefused(account, mix);',
    'in the game: a guess forgets nothing': [
      'if (known == null || MessageDigest.isEqual(known, mix)) forget(account);',
      'forget(account);',
    ],
    'in the game: the portal bans a kept login too':
      'if (answer.result == LoginResult.BANNED) forget(account);',
    'in the game: what was refused meanwhile does not open': [
      'return isSame && !isOver && isStillKept(account, mix, change == null ? kept.hash : null);',
      'return isSame && !isOver;',
    ],
    'in the game: who was not activated is told so by a kept login':
      'if (!change.isActivated) hash = notActivated(hash);',
    'in the game: who was activated since is kept anew': [
      'before.isActivated == change.isActivated && MessageDigest',
      'MessageDigest',
    ],
    'in the game: what another version kept is removed': 'if (!isFormKnown) removeOtherForms();',
    'in the game: a kept password is mixed with the secret': [
      'byte[] key = hmac(settings.secret.getBytes(StandardCharsets.UTF_8), "passwords kept by PortalGame");',
      'byte[] key = hmac(new byte[1], "passwords kept by PortalGame");',
    ],
    'in the game: a kept password is mixed with its name': ['hmac(key, account + " " + ', 'hmac(key, '],
    'in the game: a kept password is hashed at a cost': ['ROUNDS = 600_000', 'ROUNDS = 599_999'],
    'in the game: an unknown name costs the same work': [
      'hash = hash(mix, kept.hash == null ? nobodysSalt : kept.salt);',
      'hash = kept.hash == null ? nobodysSalt : hash(mix, kept.salt);',
    ],
    'in the game: one password of a name is judged at a time': [
      'if (underWay.size() >= AT_ONCE || !underWay.add(account)) return false;',
      'if (underWay.size() >= AT_ONCE) return false;',
    ],
    'in the game: guesses have to wait longer and longer': [
      'if (more >= 0) notBefore.put(',
      'if (more < -FREE) notBefore.put(',
    ],
    'in the game: guesses of a name are counted from everywhere': [
      'wrong.getOrDefault(account, 0) >= WRONG_OF_NAME',
      'wrong.isEmpty()',
    ],
    'in the game: guesses of an address are counted for every name': [
      '|| wrong.getOrDefault(place, 0) >= WRONG_OF_PLACE',
      '',
    ],
    'in the game: guesses are counted in all': ['|| wrong.getOrDefault(ALL, 0) >= WRONG_OF_ALL', ''],
    'in the game: an address of IPv6 counts with its network': [
      'bytes.length == 16 ? Arrays.copyOf(bytes, 8) : bytes',
      'bytes',
    ],
    'in the game: others do not lock out a player': [
      'if (isOften || (isOftenElsewhere && !isAtHome)) return false;',
      'if (isOften || isOftenElsewhere) return false;',
    ],
  }),
]
