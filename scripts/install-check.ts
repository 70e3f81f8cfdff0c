import { once } from 'node:events'
import { chownSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ordinaryUser, Installation } from './install-check/installation.ts'
import { blocksOf, readDockerfile } from './install-check/files.ts'
import { freePort, startNginx, startPostgres } from './install-check/servers.ts'
import { readOptions } from './tool-options.ts'

const USAGE = `npm run install-check [-- --here]

Both ways of docs/runbooks/install.md by its own commands, from an empty folder with a space in its name, as an ordinary
user, with a program that cannot be written; and the steps of the Dockerfile without a container. Needs nginx, openssl,
curl and PostgreSQL's programs.
  --here   with this checkout as it is built, which is what npm test runs`
const isHere = readOptions({ usage: USAGE, options: { here: 'flag' } }).values.here === true
const root = fileURLToPath(new URL('../', import.meta.url))
const SITE = 'portal.test'
const READY_MS = 60_000

const folder = await mkdtemp(join(tmpdir(), 'cong-ninja install '))
const user = ordinaryUser()
if (user) chownSync(folder, user.uid, user.gid)
const installation = new Installation({
  folder,
  user,
  blocks: blocksOf(await readFile(join(root, 'docs/runbooks/install.md'), 'utf8')),
})
const APP = join(folder, 'app')
const CONF = join(folder, 'conf')
const DATA = join(folder, 'data')
try {
  await installation.prepare(root, { REPO: join(folder, 'repo.git'), APP, CONF, DATA, SITE })
  await program()
  await oneMachine()
  await servers()
  if (!isHere) await container()
  console.log('\nBoth ways of the runbook work.')
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await installation.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

async function program(): Promise<void> {
  if (isHere) await symlink(root, APP)
  else await installation.run('program')
  await mkdir(CONF)
  await mkdir(DATA, { mode: 0o700 })
  if (user) for (const made of [CONF, DATA]) chownSync(made, user.uid, user.gid)
  await installation.run('settings')
  if (!isHere) await installation.shell('chmod -R a-w "$APP"', 'the program is read-only from here')
}

async function oneMachine(): Promise<void> {
  console.log('\nA. One machine')
  const port = await freePort()
  const portal = await installation.unit('portal.service', { port })
  await installation.ready(port, portal, READY_MS)
  await installation.expectStatus(`http://127.0.0.1:${port}/home`, 200)
  await portal.end()
  await installation.shell('! pgrep -f "$DATA/postgres"', 'no PostgreSQL is left')
}

async function servers(): Promise<void> {
  console.log('\nB. Servers')
  const postgres = await startPostgres(installation)
  const given = { ...postgres.environment, DB_PASSWORD: 'a-password-of-my-own' }
  await installation.run('database', given)
  await installation.run('database-address', given)
  await installation.run('doctor')
  const ports = [await freePort(), await freePort()] as const
  const [first, second] = [
    await installation.unit('portal-web@.service', { specifiers: { i: String(ports[0]) } }),
    await installation.unit('portal-web@.service', { specifiers: { i: String(ports[1]) } }),
  ]
  const worker = await installation.unit('portal-worker.service')
  await Promise.all([
    installation.ready(ports[0], first, READY_MS),
    installation.ready(ports[1], second, READY_MS),
  ])
  await installation.run('certificate')
  const upstream = join(CONF, 'upstream.conf')
  const balanced = await readFile(join(APP, 'deploy/nginx/upstream.conf'), 'utf8')
  await writeFile(
    upstream,
    balanced.replaceAll('3001', String(ports[0])).replaceAll('3002', String(ports[1])),
  )
  const nginx = await startNginx(installation, { app: APP, conf: CONF, site: SITE, upstream })
  const environment = { HTTPS_PORT: String(nginx.httpsPort) }
  await installation.run('look', environment)
  // A reader who comes back. Answers to newcomers set a cookie, and such answers are never cached.
  await installation.shell(
    `${installation.block('look').trimEnd()} --header 'cookie: XSRF-TOKEN=from-before'`,
    null,
    environment,
  )

  await first.end()
  for (let request = 0; request < 20; request++)
    await installation.shell(installation.block('look'), null, environment)
  console.log('  one process ended: 20 of 20 requests were answered by the other')
  await second.end()
  await installation.run('look', environment)
  console.log('  both ended: nginx answers with the page it cached')
  await nginx.end()
  await worker.end()
  await postgres.end()
}

/** What the image would be built by and would run, with the packages that are left in it. */
async function container(): Promise<void> {
  console.log('\nThe steps of the Dockerfile')
  const image = join(folder, 'image')
  const { builds, environment, entrypoint, health } = readDockerfile(
    await readFile(join(root, 'deploy/Dockerfile'), 'utf8'),
  )
  await installation.shell(
    `git clone --quiet "$REPO" "${image}" && cd "${image}" && grep -v '^#' deploy/Dockerfile.dockerignore | xargs rm -rf`,
    null,
  )
  for (const step of builds) await installation.shell(`cd "${image}" && ${step}`, step)
  await installation.shell(`chmod -R a-w "${image}"`, null)
  const port = await freePort()
  const [file = '', ...args] = entrypoint
  const portal = installation.start(file, args, {
    environment: {
      ...environment,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: join(folder, 'image-data'),
    },
    cwd: image,
  })
  await installation.ready(port, portal, READY_MS)
  await installation.expectStatus(`http://127.0.0.1:${port}/home`, 200)
  const command = health.map((word) => word.replace(':3000/', `:${port}/`))
  const answer = installation.spawn(command[0] as string, command.slice(1), {}, image)
  const [code] = (await once(answer.process, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the health check ended with ${code}: ${answer.output()}`)
  await portal.end()
  console.log(
    '  it runs without the packages of development, its health check answers, and it ends at a signal',
  )
}
