import { chownSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ordinaryUser, Shop } from './install-check/shop.ts'
import { startNginx, startPostgres } from './install-check/servers.ts'
import { blocksOf } from './install-check/runbook.ts'

/**
 * `npm run install-check`: both ways of docs/runbooks/install.md by its own commands, from an empty folder with a space
 * in its name, as an ordinary user, with a program that cannot be written. Needs nginx, openssl, curl and PostgreSQL's
 * programs.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const SITE = 'portal.test'
const READY_MS = 60_000

const folder = await mkdtemp(join(tmpdir(), 'cong-ninja install '))
const user = ordinaryUser()
if (user) chownSync(folder, user.uid, user.gid)
const shop = new Shop({
  folder,
  user,
  blocks: blocksOf(await readFile(join(root, 'docs/runbooks/install.md'), 'utf8')),
})
const APP = join(folder, 'app')
const CONF = join(folder, 'conf')
const DATA = join(folder, 'data')
try {
  await shop.prepare(root, { REPO: join(folder, 'repo.git'), APP, CONF, DATA, SITE })
  await program()
  await oneMachine()
  await servers()
  console.log('\nBoth ways of the runbook work.')
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await shop.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function program(): Promise<void> {
  await shop.run('program')
  await mkdir(CONF)
  await mkdir(DATA, { mode: 0o700 })
  if (user) for (const made of [CONF, DATA]) chownSync(made, user.uid, user.gid)
  await shop.run('settings')
  await shop.shell('chmod -R a-w "$APP"', 'the program is read-only from here')
}

async function oneMachine(): Promise<void> {
  console.log('\nA. One machine')
  const portal = await shop.unit('portal.service', {})
  await shop.ready(3000, portal, READY_MS)
  await shop.expectStatus('http://127.0.0.1:3000/home', 200)
  await portal.end()
  await shop.shell('! pgrep -f "$DATA/postgres"', 'no PostgreSQL is left')
}

async function servers(): Promise<void> {
  console.log('\nB. Servers')
  const postgres = await startPostgres(shop)
  const given = { ...postgres.environment, DB_PASSWORD: 'a-password-of-my-own' }
  await shop.run('database', given)
  await shop.run('database-address', given)
  await shop.run('doctor')
  const [first, second] = [
    await shop.unit('portal-web@.service', { i: '3001' }),
    await shop.unit('portal-web@.service', { i: '3002' }),
  ]
  const worker = await shop.unit('portal-worker.service', {})
  await Promise.all([shop.ready(3001, first, READY_MS), shop.ready(3002, second, READY_MS)])
  await shop.run('certificate')
  const nginx = await startNginx(shop, { app: APP, conf: CONF, site: SITE })
  const look = { HTTPS_PORT: String(nginx.httpsPort) }
  await shop.run('look', look)
  // A reader who comes back. Answers to newcomers set a cookie, and such answers are never kept.
  await shop.shell(`${shop.block('look').trimEnd()} --header 'cookie: XSRF-TOKEN=from-before'`, null, look)

  await first.end()
  for (let request = 0; request < 20; request++) await shop.shell(shop.block('look'), null, look)
  console.log('  one process ended: 20 of 20 requests were answered by the other')
  await second.end()
  await shop.run('look', look)
  console.log('  both ended: nginx answers with the page it kept')
  await nginx.end()
  await worker.end()
  await postgres.end()
}
