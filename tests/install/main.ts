import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readOptions } from '#scripts/tool-options.ts'
import { PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { blocksOf, readDockerfile } from './files.ts'
import { cachedLayer, CACHE, debian, keyOf, Machine, missingPrograms, must, type Shell } from './machine.ts'

const USAGE = `npm run install-check [-- --only <part>]

The commands of docs/runbooks/install.md, backup.md, restore.md and secrets.md as they stand, on a new Debian 12 with systemd in namespaces
of its own (debootstrap), with the shipped files at their real places. Needs root, debootstrap and systemd; ${CACHE}
keeps Debian, packages and the built program for the next run.
  --only <part>   one-machine, servers or image`
const { only } = readOptions({ usage: USAGE, options: { only: 'text' } }).values
const root = fileURLToPath(new URL('../../', import.meta.url))
const runbook = async (name: string) =>
  blocksOf(await readFile(join(root, `docs/runbooks/${name}.md`), 'utf8'))
const [INSTALL, UPGRADE, BACKUP, RESTORE, SECRETS] = await Promise.all([
  runbook('install'),
  runbook('upgrade'),
  runbook('backup'),
  runbook('restore'),
  runbook('secrets'),
])
const SHARED = join(CACHE, 'shared')
const GAME_SECRET = 'game-secret-of-the-check'

const missing = missingPrograms()
if (missing.length > 0 || process.getuid?.() !== 0) {
  console.error(
    `It needs root and Debian’s debootstrap and systemd-container; missing: ${missing.join(', ')}`,
  )
  process.exit(1)
}

function block(name: string, blocks = INSTALL): string {
  const commands = blocks.get(name)
  if (commands === undefined) throw new Error(`the runbook has no commands named ${name}`)
  return commands
}

/** A new Debian, and the packages upon it. */
async function prepared(): Promise<string[]> {
  console.log('The machine')
  await mkdir(SHARED, { recursive: true })
  const repository = join(SHARED, 'cong-ninja.git')
  await rm(repository, { recursive: true, force: true })
  must('git', ['clone', '--quiet', '--bare', root, repository])
  const base = await debian()
  // What later steps install is downloaded now: they run without a network.
  const later = 'apt-get install -y --download-only postgresql pgbouncer'
  const packages = await layer('packages', [base], [block('values'), block('packages'), later])
  return [packages, base]
}

/** The program as it is committed, upon them. */
async function withProgram(under: readonly string[]): Promise<string[]> {
  const [values, ...texts] = ['values', 'user', 'program', 'settings'].map((name) => block(name))
  const commands = [`${values}\nexport REPO=/mnt/cong-ninja.git`, ...texts]
  return [await layer('program', under, commands, commit()), ...under]
}

const commit = () => spawnSync('git', ['-C', root, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).stdout.trim()

async function layer(
  name: string,
  under: readonly string[],
  commands: readonly string[],
  of = '',
): Promise<string> {
  const named = `${name}-${keyOf(...under, ...commands, of)}`
  const cached = cachedLayer(named)
  if (cached !== null) return cached
  const machine = await Machine.boot({ layers: under, shared: SHARED })
  try {
    const shell = machine.shell({ online: true })
    for (const one of commands) await shell.run(one, `${name}: ${one.trim().split('\n')[0]} …`)
    shell.end()
    return await machine.layer(named)
  } catch (error) {
    await machine.end()
    throw error
  }
}

async function on(
  under: readonly string[],
  work: (machine: Machine, shell: Shell) => Promise<void>,
): Promise<void> {
  const machine = await Machine.boot({ layers: await withProgram(under), shared: SHARED })
  const shell = machine.shell()
  try {
    await shell.run(block('values'))
    await work(machine, shell)
    await shell.run(NO_FAILED_UNIT, 'no unit failed')
  } finally {
    shell.end()
    await machine.end()
  }
}

const NO_FAILED_UNIT = 'test -z "$(systemctl list-units --failed --plain --no-legend | tee /dev/stderr)"'
/** Waits; then shows what the portal says of its start. */
const ready = (port: number) =>
  `for try in $(seq 300); do is_ready=0; curl --fail --silent --output /dev/null http://127.0.0.1:${port}/readyz && is_ready=1 && break; sleep 0.2; done
test $is_ready = 1 || { systemctl status 'portal*' --no-pager; journalctl -u 'portal*' -n 30 --no-pager -o cat; exit 1; }`

async function oneMachine(layers: readonly string[]): Promise<void> {
  console.log('\nA. One machine')
  await on(layers, async (_machine, shell) => {
    const run = (name: string) => shell.run(block(name), `the runbook’s “${name}”`)
    await run('one-machine')
    await shell.run(ready(3000), 'the portal is ready')
    await run('certificate')
    await run('nginx')
    await run('one-address')
    await run('look')
    await shell.run('systemctl stop portal; ! pgrep --full "$DATA/postgres"', 'no PostgreSQL is left')
  })
}

async function servers(layers: readonly string[]): Promise<void> {
  console.log('\nB. Servers')
  await on(layers, async (machine, shell) => {
    const run = (name: string, blocks = INSTALL) => shell.run(block(name, blocks), `the runbook’s “${name}”`)
    await run('database')
    await run('load')
    await run('doctor')
    await shell.run(SETTINGS, 'settings of a demo with a game and mail')
    await shell.run(
      `systemd-run --quiet --unit=game --setenv=GAME_SERVER_SECRET=${GAME_SECRET} --working-directory="$APP" npm run game-server`,
      'a game server',
    )
    await run('servers')
    for (const port of [3001, 3002]) await shell.run(ready(port), `ready at port ${port}`)
    await run('certificate')
    await run('nginx')
    await run('look')
    await journey(machine, 'purchase', 'muahang1')
    await run('console-host')
    await run('restart', UPGRADE)
    await journey(machine, 'consoleHost', '')
    await run('pooler')
    await run('restart', UPGRADE)
    await journey(machine, 'purchase', 'muahang2')
    await oneAway(shell)
    await run('timers', BACKUP)
    await shell.run(ELAPSE, 'both timers elapse, as after a month without power')
    for (const step of ['stop', 'new-database', 'pooler-database', 'restore', 'start'])
      await run(step, RESTORE)
    for (const port of [3001, 3002]) await shell.run(ready(port), `ready at port ${port}`)
    await shell.run(RESTORED, 'the restored database has both players')
    await journey(machine, 'purchase', 'muahang3')
    await changeSecrets(machine, shell)
    await shell.run(LOGS, 'logs are rotated')
  })
}

/** What an operator of a demo writes into the settings. */
const SETTINGS = `
sed -i -e 's|^DEMO=.*|DEMO=1|' -e 's|^GAME_SERVER_URL=.*|GAME_SERVER_URL=http://127.0.0.1:4000|' -e "s|^#GAME_SERVER_SECRET=.*|GAME_SERVER_SECRET=${GAME_SECRET}|" \\
  -e 's|^#SEPAY_WEBHOOK_SECRET=.*|SEPAY_WEBHOOK_SECRET=${PAYMENT_KEYS.sepay}|' -e 's|^#SMS_MO_SECRET=.*|SMS_MO_SECRET=sms-secret-of-the-check|' -e 's|^#SMTP_URL=.*|SMTP_URL=smtp://127.0.0.1:2525|' \\
  -e 's|^#MAIL_FROM=|MAIL_FROM=|' "$CONF/portal.env"
echo DEMO_PUBLIC=1 >> "$CONF/portal.env"`

/** A timer that is persistent makes up for what its last stamp says was missed. */
const ELAPSE = `
ls "$DATA"/backups > /tmp/before
touch -d '40 days ago' /var/lib/systemd/timers/stamp-portal-backup.timer /var/lib/systemd/timers/stamp-portal-restore-test.timer
since=$(date +%s)
systemctl restart portal-backup.timer portal-restore-test.timer
for unit in portal-backup portal-restore-test; do
  for try in $(seq 600); do
    started=$(date -d "$(systemctl show --property=ExecMainStartTimestamp --value $unit)" +%s)
    test "$started" -ge "$since" && ! systemctl is-active --quiet $unit && test "$(systemctl show --property=ActiveState --value $unit)" != activating && break
    sleep 0.5
  done
  test "$started" -ge "$since"
  test "$(systemctl show --property=Result --value $unit)" = success
done
journalctl --quiet --output=cat -u portal-backup -u portal-restore-test -n 60
test "$(ls "$DATA"/backups | wc -l)" -eq "$(( $(wc -l < /tmp/before) + 1 ))"
test ! -e "$DATA/restore-test"
head -c 22 "$(ls "$DATA"/backups/*.backup | tail -n 1)" | grep -q age-encryption`

const RESTORED = `
count=$(runuser -u postgres -- psql -At -c "SELECT count(*) FROM users WHERE username IN ('muahang1', 'muahang2')" portal2)
test "$count" = 2`

const LOGS = `
logrotate --force /etc/logrotate.d/nginx
logrotate --force /etc/logrotate.d/postgresql-common
ls /var/log/nginx/portal.log.1 /var/log/postgresql/pgbouncer.log.1`

async function oneAway(shell: Shell): Promise<void> {
  const look = block('look').trim()
  await shell.run(
    `systemctl stop portal-web@3001; for try in $(seq 20); do ${look}; done; systemctl start portal-web@3001`,
    'one process stopped: 20 of 20 requests were answered by the other',
  )
  await shell.run(
    `systemctl stop 'portal-web@*'; ${look}; systemctl start portal-web@3001 portal-web@3002`,
    'both stopped: nginx answers with the page it cached',
  )
}

/** Under load, of which nothing may fail. */
async function changeSecrets(machine: Machine, shell: Shell): Promise<void> {
  const run = (name: string, blocks = SECRETS) => shell.run(block(name, blocks), `the runbook’s “${name}”`)
  const load = startJourney(machine, 'load', 'muahang3')
  for (const name of ['database-password', 'pooler-password', 'accept-both']) {
    await run(name)
    await run('restart', UPGRADE)
    if (name === 'database-password') await run('close-role')
  }
  await run('accept-new')
  await run('restart', UPGRADE)
  load.stdin?.end()
  await ended(load, 'load')
  await shell.run(ONE_ROLE, 'the role of before is closed')
}

const ONE_ROLE = `
roles=$(runuser -u postgres -- psql -At -c "SELECT string_agg(rolname || ' ' || rolcanlogin, ', ' ORDER BY rolname) FROM pg_roles WHERE rolname ~ '^portal_[0-9a-f]{16}' AND rolname LIKE left('portal_' || encode(sha256('portal2'), 'hex'), 23) || '%'")
echo "$roles"
test "$(echo "$roles" | grep -o true | wc -l)" = 1`

/** Players and operators, from outside nginx. */
const journey = (machine: Machine, name: string, player: string): Promise<void> =>
  ended(startJourney(machine, name, player), name)

function startJourney(machine: Machine, name: string, player: string): ChildProcess {
  const file = (certificate: string) => machine.path(`etc/nginx/${certificate}`)
  const [program = '', ...args] = machine.onItsNetwork([
    process.execPath,
    join(root, 'tests/install/journey.ts'),
    name,
    '--site=portal.example',
    '--console=admin.portal.example',
    `--certificate=${file('portal.crt')}`,
    `--console-certificate=${file('portal-admin.crt')}`,
    `--name=${player}`,
  ])
  return spawn(program, args, { cwd: root, stdio: ['pipe', 'inherit', 'inherit'] })
}

async function ended(child: ChildProcess, name: string): Promise<void> {
  if (child.exitCode === null) await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`the journey “${name}” ended with ${child.exitCode}`)
}

/** What the image is built by and runs, with the packages that are left in it, in place of containers. */
async function image(under: readonly string[]): Promise<void> {
  console.log('\nThe steps of the Dockerfile')
  const { builds, prepares, user, environment, entrypoint, health } = readDockerfile(
    await readFile(join(root, 'deploy/Dockerfile'), 'utf8'),
  )
  const copy = `git clone --quiet /mnt/cong-ninja.git /app && cd /app && grep -v '^#' deploy/Dockerfile.dockerignore | xargs rm -rf`
  const built = await layer('image', under, [copy, ...builds], commit())
  const machine = await Machine.boot({ layers: [built, under.at(-1) as string], shared: SHARED })
  try {
    const online = machine.shell({ online: true })
    for (const step of prepares) await online.run(step, step)
    online.end()
    const settings = Object.entries(environment).map(([name, value]) => `--setenv=${name}=${value}`)
    const quoted = (words: readonly string[]) =>
      words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const shell = machine.shell()
    const started = [...settings, '--setenv=DEMO_PUBLIC=1', '--property=WorkingDirectory=/app']
    await shell.run(
      `systemd-run --quiet --unit=image --uid=${user} ${started.join(' ')} /app/${quoted(entrypoint)}
for try in $(seq 300); do (cd /app && runuser -u ${user} -- ${quoted(health)}) && exit_code=0 && break; exit_code=1; sleep 0.5; done
test $exit_code = 0 || { journalctl -u image -n 30 --no-pager -o cat; exit 1; }
systemctl stop image`,
      'it runs without the packages of development, and its health check answers',
    )
    shell.end()
  } finally {
    await machine.end()
  }
}

const runs: Record<string, (layers: readonly string[]) => Promise<void>> = {
  'one-machine': oneMachine,
  servers,
  image,
}
const layers = await prepared()
for (const [name, run] of Object.entries(runs)) if (only === undefined || only === name) await run(layers)
console.log('\nThe runbooks work by the word.')
