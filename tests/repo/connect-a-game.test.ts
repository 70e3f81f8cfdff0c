import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sum } from '../harness/numbers.ts'
import { filled, readCommands, readHeadings } from '../connect/commands.ts'
import { root } from './checkout-copy.ts'

const runbook = await readFile(join(root, 'docs/runbooks/connect-a-game.md'), 'utf8')
const commands = readCommands(runbook)
const MINUTES_MAX = 60
const EDITED_LINES_MAX = 60

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

/** In an old web page. */
const FOUND_IN_PAGE = [
  "if ($row['password'] === $_POST['before'])",
  "if ($pass == $row['matkhau'])",
  'if (password_verify($given, $hash))',
  '$db->query("UPDATE player SET password = \'$after\'");',
]

const OTHERS = ['player.luong += 5;', 'if (name.equals(other)) return;', '"SELECT id FROM item WHERE id = ?"']

test('the searches of the runbook find each kind of place in a game', async () => {
  const searches = commands.flatMap(({ text }) => text.match(/^ *grep .*<\w+>$/gm) ?? [])
  expect(searches).toHaveLength(FOUND.length + 1)
  const source = await mkdtemp(join(tmpdir(), 'cong-ninja-source-'))
  try {
    await writeFile(
      join(source, 'Game.java'),
      [...FOUND.flat(), ...OTHERS].map((line) => `${line}\n`).join(''),
    )
    await writeFile(
      join(source, 'page.php'),
      [...FOUND_IN_PAGE, ...OTHERS].map((line) => `${line}\n`).join(''),
    )
    for (const [at, search] of searches.entries()) {
      const { stdout } = await run('bash', ['-c', filled(search, { source, page: source })])
      const lines = stdout.split('\n').map((line) => line.replace(/^[^:]*:\d+:/, ''))
      expect(lines, search).toEqual(expect.arrayContaining(FOUND[at] ?? FOUND_IN_PAGE))
      expect(OTHERS.filter((line) => lines.includes(line))).toEqual([])
    }
  } finally {
    await rm(source, { recursive: true })
  }
})

test('the headings of the runbook add up to an hour', () => {
  const headings = readHeadings(runbook)
  const parts = headings.filter(({ level }) => level === 2)
  expect(parts.length).toBeGreaterThan(4)
  expect(sum(parts.map(({ minutes }) => minutes))).toBeLessThanOrEqual(MINUTES_MAX)
  const within = headings.filter(({ level }) => level === 3)
  const inGame = parts.find(({ title }) => title === '5. The part in the game')
  expect(sum(within.map(({ minutes }) => minutes))).toBe(inGame?.minutes)
  const numbered = runbook.match(/^## \d.*$/gm) ?? []
  expect(numbered).toHaveLength(parts.length)
})

test('every command of the runbook has a name by which npm run connect-check runs it', () => {
  const names = commands.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const fences = [...runbook.matchAll(/^ *```(\S.*)$/gm)].map(([, word]) => word)
  const shown = fences.filter((word) => word !== 'text' && word !== 'java')
  expect(shown).toEqual(commands.map(({ language, name }) => `${language} ${name}`))
  const all = commands.map(({ text }) => text.replaceAll('--silent ', '')).join('')
  const inline = [...runbook.matchAll(/`(npm run [^`]*|systemctl [^`]*|curl [^`]*)`/g)]
  for (const [, command = ''] of inline) expect(all).toContain(command.replace('--silent ', ''))
})

test('the games of connect-check are connected by at most 60 lines', async () => {
  const folder = join(root, 'tests/connect')
  const shapes = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const patches = shapes.filter(({ name }) => name !== 'page')
  expect(patches).toHaveLength(2)
  for (const { name } of patches) {
    const patch = await readFile(join(folder, name, 'part/edits.patch'), 'utf8')
    const edited = patch.match(/^\+(?!\+\+ )/gm) ?? []
    expect(edited.length, name).toBeGreaterThan(10)
    expect(edited.length, name).toBeLessThanOrEqual(EDITED_LINES_MAX)
  }
})
