import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { startMysql } from '#tests/support/mysql.ts'
import { type Cleanup, PROGRAM } from '../harness/fleet.ts'
import { secondsSince } from '../harness/numbers.ts'
import { blocksOf } from '../install/files.ts'
import { APP, untilReady } from '../upgrade/installed.ts'
import { Machine } from '../upgrade/machine.ts'
import { DrillProblem } from '../upgrade/programs.ts'
import { type Command, filled, readCommands, readHeadings } from './commands.ts'
import { enterGame } from './player.ts'

/** Started by main.ts in a network and with mounts of its own. */
const { folder, shape, driver, runbook } = JSON.parse(process.argv[2] ?? '') as {
  folder: string
  shape: keyof typeof SHAPES
  driver: string
  runbook: string | null
}

/** With signs that an address of a database writes otherwise. */
const PASSWORD = "mat@khau/#1?%'"
const IN_ADDRESS = 'mat%40khau%2F%231%3F%25%27'
const SOURCE = '/srv/source'
const PAGE = '/srv/page'
const VALUES = { APP, CONF: '/etc/cong-ninja', DATA: '/var/lib/cong-ninja', SITE: 'portal.example' }

const SHAPES = {
  'list-of-names': { methods: 'NinjaMethods', preset: 'json-list', activated: 'status' },
  'many-tables': { methods: 'HeroMethods', preset: 'by-key', activated: 'active' },
}
const { methods, preset, activated } = SHAPES[shape]

/** What the runbook says that a command prints. */
const PRINTS: Record<string, RegExp> = {
  detect: /^\+ .*\n[^]*^> read the file/m,
  adapter: /^CREATE TABLE portal_[^]*^-- Done\.$/m,
  portal:
    /^warning +game +the game server at http:\/\/127\.0\.0\.1:4000 answers, but its collector never gave/m,
  count: /^5 accounts can come over, with 21,500 TCoin\n +of them 4 activated, 1 banned\n[^]*^2 stay behind/m,
  import: /^5 accounts came over/m,
  timers: /implements Runnable[^]*new Thread\(/,
  passwords: /Session\.java:\d+:.*password/,
  page: /UPDATE player SET password/,
  try: /^applied +one yen[^]*^collected at .*: goods reach characters$/m,
  close: /^warning|^ok/m,
}

const READS = await readFile(runbook ?? join(PROGRAM, 'docs/runbooks/connect-a-game.md'), 'utf8')
const commands = readCommands(READS)

function must(found: boolean, sentence: string): void {
  if (!found) throw new DrillProblem(sentence)
}

async function openDatabase(cleanup: Cleanup): Promise<void> {
  const mysql = await startMysql(['--port=3306'])
  cleanup.defer(() => mysql.close())
  const tables = await readFile(join(PROGRAM, 'tests/connect', shape, 'game.sql'), 'utf8')
  await mysql.asRoot(async (root) => {
    await root.query('CREATE DATABASE game CHARACTER SET utf8mb4')
    await root.query(`CREATE USER game@'127.0.0.1' IDENTIFIED BY ${root.escape(PASSWORD)}`)
    await root.query("GRANT ALL ON game.* TO game@'127.0.0.1'")
  })
  const owner = await connect()
  await owner.query(tables)
  await owner.end()
}

const connect = () =>
  createConnection({
    host: '127.0.0.1',
    user: 'game',
    password: PASSWORD,
    database: 'game',
    multipleStatements: true,
  })

/** The first heading: install.md for one machine, without TLS, which npm run install-check tries. */
async function installPortal(machine: Machine): Promise<void> {
  const blocks = blocksOf(await readFile(join(PROGRAM, 'docs/runbooks/install.md'), 'utf8'))
  const step = (name: string) => machine.do(blocks.get(name) ?? '', VALUES)
  await machine.do('userdel portal 2>/dev/null || true')
  // nspawn shows its shells another boot id than the kernel's, by which the journal goes.
  await machine.do('umount /proc/sys/kernel/random/boot_id; systemctl restart systemd-journald')
  await machine.do(
    `useradd --system --user-group --home-dir "$DATA" --shell /usr/sbin/nologin portal
     rm -rf "$CONF" "$DATA"; install -d "$CONF"; install -d -o portal -g portal -m 0700 "$DATA"`,
    VALUES,
  )
  await step('settings')
  await step('one-machine')
  await machine.do(untilReady(3000))
}

/** What the reader does by hand before a command, by its name. */
const BEFORE: Record<string, (machine: Machine) => Promise<void>> = {
  async adapter(machine) {
    const path = join(machine.root, VALUES.CONF, 'game.json')
    const file = JSON.parse(await readFile(path, 'utf8')) as Record<string, any>
    must(file.preset === preset, `detect proposes ${file.preset}, not ${preset}`)
    file.servers = [{ id: '1', name: 'Trúc Lâm' }]
    file.items = [{ code: 'pet', name: 'Thú cưng', max: 99 }]
    file.import = { ...file.import, activated, balance: { column: 'vnd', coins: 1, per: 1 } }
    await writeFile(path, JSON.stringify(file, null, 2))
  },
  async files(machine) {
    await machine.do(`mkdir ${SOURCE} ${PAGE}
      cp ${APP}/tests/connect/${shape}/*.java ${SOURCE}; cp ${APP}/tests/connect/page/* ${PAGE}`)
  },
  async try(machine) {
    await machine.do(
      `cd ${SOURCE}
      git apply -p2 ${APP}/tests/connect/${shape}/part/edits.patch
      cp ${APP}/tests/connect/${shape}/part/${methods}.java .
      javac -encoding UTF-8 -d classes *.java
      . ${VALUES.CONF}/game-adapter.env
      systemd-run --quiet --unit=game --setenv=GAME_SERVER_SECRET="$GAME_SERVER_SECRET" --setenv=DATABASE_PASSWORD="$PASSWORD" \\
        java -Xmx128m -cp ${SOURCE}/classes:${driver} Server jdbc:mariadb://127.0.0.1:3306/game`,
      { PASSWORD },
    )
    const { welcome } = await enterGame('HoangTuan', 'mat-khau-cu')
    must(welcome === 'Chào kiemgia', `the login was answered “${welcome}”`)
    await runShell(machine, commands.find(({ name }) => name === 'import') as Command)
  },
}

const player = {
  user: 'game',
  password: IN_ADDRESS,
  game: 'game',
  source: SOURCE,
  page: PAGE,
  player: 'hoangtuan',
  Methods: methods,
}
const load = commands.find(({ name }) => name === 'load')?.text ?? ''

/** In a new shell, as the runbook says what that needs. */
async function runShell(machine: Machine, { name, text }: Command): Promise<string> {
  const typed = filled(text, player)
  const environment = { HOME: '/root' }
  if (name === 'log') {
    // Until Ctrl-C.
    const until = { ...environment, TYPED: `${load}\n${typed}` }
    const { code, output } = await machine.run('timeout --signal=INT 5 bash -euc "$TYPED"', until)
    must(
      code === 124 && /"event":"listening".*"accounts":7/.test(output),
      `${typed} ended with ${code}:\n${output}`,
    )
    return output
  }
  return machine.do(name === 'load' ? typed : `${load}\n${typed}`, environment)
}

async function runSql({ text }: Command): Promise<string> {
  const game = await connect()
  // The other shape has other names of its own.
  const [rows] = await game.execute(text.trim(), ['hoangtuan'])
  await game.end()
  return JSON.stringify(rows)
}

async function main(): Promise<void> {
  await using cleanup = new AsyncDisposableStack()
  await openDatabase(cleanup)
  const machine = await Machine.open(cleanup, join(folder, 'machine'), { [PROGRAM]: APP })
  const took = new Map<string, number>()
  let began = performance.now()
  const add = (heading: string) => took.set(heading, (took.get(heading) ?? 0) + secondsSince(began))
  await installPortal(machine)
  add(readHeadings(READS)[0]?.title ?? '')
  for (const command of commands) {
    if (command.language === 'sql' && shape !== 'many-tables') continue
    began = performance.now()
    await BEFORE[command.name]?.(machine)
    const output = command.language === 'sql' ? await runSql(command) : await runShell(machine, command)
    must(
      PRINTS[command.name]?.test(output) ?? true,
      `“${command.name}” printed what the runbook does not say:\n${output}`,
    )
    add(command.heading.replace(/, \d+ minutes?$/, ''))
    console.log(`  ${command.name}: ${secondsSince(began)} s`)
  }
  await tryPlayers()
  const running = '_PID=$(systemctl show --property=MainPID --value portal)'
  const lost = await machine.run(`journalctl --no-pager ${running} | grep 'connection was lost'`)
  must(lost.code === 1, `a command disturbed the portal:\n${lost.output}`)
  for (const { title, minutes } of readHeadings(READS))
    console.log(
      `${title}: ${minutes} minutes, of which its commands took ${(took.get(title) ?? 0).toFixed(1)} s`,
    )
}

/** What the old game did by itself is the portal's now. */
async function tryPlayers(): Promise<void> {
  const cases: [name: string, password: string, begins: RegExp][] = [
    ['hoangtuan', 'sai', /^Tên đăng nhập hoặc mật khẩu không đúng/],
    ['hoangtuan', '%', /^Tên đăng nhập hoặc mật khẩu không đúng/],
    ['MaiLan', 'hoa mai 9', /^Chào langoc/],
    ['thuha', `x'y"z`, /^Chào dieuthuyen/],
    ['kegian', 'gian-lan', /khóa|cấm/],
  ]
  for (const [name, password, begins] of cases) {
    const { welcome, say } = await enterGame(name, password)
    must(begins.test(welcome), `the login of ${name} was answered “${welcome}”`)
    if (!welcome.startsWith('Chào')) continue
    const answer = await say('password a b')
    must(answer.startsWith('Hãy đổi mật khẩu tại'), `a change of the password was answered “${answer}”`)
  }
}

console.log(`\n${shape}`)
try {
  await main()
} catch (error) {
  if (!(error instanceof DrillProblem)) throw error
  console.error(error.message)
  process.exitCode = 1
}
