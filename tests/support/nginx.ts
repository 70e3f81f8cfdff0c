import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { killTree } from '../harness/faults.ts'
import { freePort } from './network.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const NGINX_SITE = 'portal.test'

export const isNginxThere = () =>
  ['nginx', 'openssl'].every((name) => spawnSync('which', [name]).status === 0)

export type Nginx = {
  httpsPort: number
  /** The certificate it shows, which signed itself. */
  ca: string
  /** The lines of its access log so far. */
  log(): Promise<string[]>
  /** Of its first process; the others are its children. */
  pid(): number
  /** Other processes for what comes; those of before end what they have. */
  reload(): void
  /** kill -9 of all its processes. */
  kill(): Promise<void>
  /** Starts it again at the same ports, with its cache. */
  start(): Promise<void>
  end(): Promise<void>
}

export type NginxOptions = {
  /** Where the web processes are. */
  webPorts: readonly number[]
  /** For what would take minutes with the file as it is. */
  change?: (file: string) => string
}

/** nginx with the files of deploy/nginx: only folders, ports, name and certificate are others. */
export async function startNginx({ webPorts, change = (file) => file }: NginxOptions): Promise<Nginx> {
  const place = await mkdtemp(join(tmpdir(), 'cong-ninja-nginx-'))
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const request = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${NGINX_SITE} -addext subjectAltName=DNS:${NGINX_SITE}`
  const [key, certificate] = [join(place, 'portal.key'), join(place, 'portal.crt')]
  execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const upstream = join(place, 'upstream.conf')
  await writeFile(upstream, await upstreamFile(webPorts))
  const file = join(place, 'nginx.conf')
  // Several processes, as on a server: each would find out for itself which portal is down.
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  await writeFile(
    file,
    change(`${user}worker_processes 2;\n${await nginxFile({ place, httpPort, httpsPort })}`),
  )
  const program = nginxProgram(file, httpsPort)
  const end = async () => {
    await program.stop()
    await rm(place, { recursive: true, force: true, maxRetries: 5 })
  }
  await program.start().catch(async (error: unknown) => {
    await end()
    throw error
  })
  return {
    httpsPort,
    ca: await readFile(certificate, 'utf8'),
    log: async () => (await readFile(join(place, 'portal.log'), 'utf8')).split('\n').slice(0, -1),
    pid: program.pid,
    reload: program.reload,
    kill: program.kill,
    start: program.start,
    end,
  }
}

type Places = { place: string; httpPort: number; httpsPort: number }

/**
 * The project's files as a whole configuration beside others on one machine: in another folder, at other ports. As they are
 * they run in `npm run install-check`.
 */
async function nginxFile({ place, httpPort, httpsPort }: Places): Promise<string> {
  const shipped = (name: string) => readFile(join(root, 'deploy/nginx', name), 'utf8')
  const common = await shipped('server.conf')
  const portal = (await shipped('portal.conf'))
    .replace('include /etc/nginx/portal-server.conf;', () => common)
    .replaceAll('portal.example', NGINX_SITE)
    .replace(/listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace('listen 443', `listen 127.0.0.1:${httpsPort}`)
    .replaceAll('/etc/nginx/portal-upstream.conf', `"${join(place, 'upstream.conf')}"`)
    .replace(/\/etc\/nginx\/(portal\.(?:crt|key))/g, (_, name: string) => `"${join(place, name)}"`)
    .replace(/\/var\/(?:cache|log\/nginx)\/([\w.-]+)/g, (_, name: string) => `"${join(place, name)}"`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path "${join(place, one)}";`,
  )
  return [
    'daemon off;',
    `pid "${join(place, 'nginx.pid')}";`,
    'events { worker_connections 512; }',
    `http {\naccess_log off;\n${temporary.join('\n')}\n${portal}}\n`,
  ].join('\n')
}

function nginxProgram(file: string, httpsPort: number) {
  let nginx: ChildProcess | null = null
  let closed: Promise<unknown> = Promise.resolve()
  let output = ''
  return {
    async start(): Promise<void> {
      const child = spawn('nginx', ['-e', 'stderr', '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
      nginx = child
      closed = once(child, 'close')
      child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-20_000)))
      while (!(await answers(httpsPort))) {
        if (child.exitCode !== null) throw new Error(`nginx does not start:\n${output}`)
        await sleep(50)
      }
    },
    pid: () => nginx?.pid as number,
    reload: () => void nginx?.kill('SIGHUP'),
    async kill(): Promise<void> {
      await killTree(nginx?.pid as number)
      await closed
    },
    async stop(): Promise<void> {
      if (nginx?.exitCode === null && nginx.signalCode === null) nginx.kill('SIGTERM')
      await closed
    },
  }
}

/** The project's own, with other addresses in place of its own two. */
async function upstreamFile(webPorts: readonly number[]): Promise<string> {
  const text = await readFile(join(root, 'deploy/nginx/upstream.conf'), 'utf8')
  const [, options = ''] = /server 127\.0\.0\.1:3001(.*);/.exec(text) ?? []
  const servers = webPorts.map((port) => `    server 127.0.0.1:${port}${options};\n`).join('')
  return text.replace(/(^ +server .*\n)+/m, servers)
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1')
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
