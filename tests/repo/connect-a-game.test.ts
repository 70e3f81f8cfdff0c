import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './checkout-copy.ts'

const run = promisify(execFile)

/** What each search of the runbook has to find in a game's source, in the order of the runbook. */
const FOUND: string[][] = [
  [
    'class Saver implements Runnable {',
    'class Hunger extends TimerTask {',
    'timer.schedule(new Hunger(), 1000);',
    'executor.scheduleAtFixedRate(this::saveAll, 60, 60, TimeUnit.SECONDS);',
    'executor.scheduleWithFixedDelay(this::saveAll, 60, 60, TimeUnit.SECONDS);',
    'new Thread(() -> mob.respawn()).start();',
  ],
  [
    'if (password.equals(rs.getString(2))) login();',
    'if (!rs.getString("password").equals(given)) return;',
    'if (rs.getString("pass").trim().equals(given)) login();',
    'if (user.getPassword().equals(given)) login();',
    'if (given.equals(user.passWord)) login();',
    'if (md5(matKhau).equalsIgnoreCase(hash)) login();',
    'if (Objects.equals(given, user.passwd)) login();',
    'if (BCrypt.checkpw(password, hash)) login();',
  ],
  [
    '"SELECT * FROM user WHERE user = ? AND password = ?"',
    '"UPDATE user SET pass = ? WHERE id = ?"',
    '"INSERT INTO user (username, password) VALUES (?, ?)"',
    '"update user set mat_khau = \'" + next + "\'"',
  ],
]

const OTHERS = ['player.luong += 5;', 'if (name.equals(other)) return;', '"SELECT id FROM item WHERE id = ?"']

test('the searches of the runbook find each kind of place in a game', async () => {
  const runbook = await readFile(join(root, 'docs/runbooks/connect-a-game.md'), 'utf8')
  const searches = runbook.match(/^ *grep .*<source>$/gm) ?? []
  expect(searches).toHaveLength(FOUND.length)
  const source = await mkdtemp(join(tmpdir(), 'cong-ninja-source-'))
  try {
    await writeFile(
      join(source, 'Game.java'),
      [...FOUND.flat(), ...OTHERS].map((line) => `${line}\n`).join(''),
    )
    for (const [at, search] of searches.entries()) {
      const { stdout } = await run('bash', ['-c', search.replace('<source>', source)])
      const lines = stdout.split('\n').map((line) => line.replace(/^[^:]*:\d+:/, ''))
      expect(lines, search).toEqual(expect.arrayContaining(FOUND[at] ?? []))
      expect(OTHERS.filter((line) => lines.includes(line))).toEqual([])
    }
  } finally {
    await rm(source, { recursive: true })
  }
})
