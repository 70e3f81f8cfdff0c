import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running, Installation } from './installation.ts'

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

/** The machine's own PostgreSQL, as another program than the portal's; with no rights given to anybody but its superuser. */
export async function startPostgres(
  installation: Installation,
): Promise<Running & { environment: Record<string, string> }> {
  const program = globSync('/usr/lib/postgresql/*/bin/postgres').toSorted().at(-1)
  if (program === undefined) throw new Error('there is no PostgreSQL: install it (apt install postgresql)')
  const port = await freePort()
  const data = join(installation.folder, 'postgres')
  const environment = {
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    PGUSER: 'postgres',
    PGPASSWORD: 'superuser',
  }
  const initdb = `"${dirname(program)}/initdb" --pgdata="${data}" --username=postgres --auth=scram-sha-256 --pwfile=<(echo superuser) --encoding=UTF8 --locale=C.UTF-8 >/dev/null`
  await installation.shell(initdb, `PostgreSQL of ${dirname(program)}`)
  const running = installation.start(program, ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''], {
    signal: 'SIGINT',
  })
  for (let left = 100; left > 0; left--) {
    if (
      spawnSync('psql', ['-c', 'SELECT', 'postgres'], { env: { ...process.env, ...environment } }).status ===
      0
    ) {
      return { ...running, environment }
    }
    await sleep(100)
  }
  throw new Error(`PostgreSQL does not start:\n${running.output()}`)
}

type NginxPlaces = {
  app: string
  /** The file that names the web processes; the project's own when left out. */
  upstream?: string
  conf: string
  site: string
  place: string
  httpPort: number
  httpsPort: number
}

/** The project's own file as a whole configuration; only folders, ports and the name are others. */
export function nginxFile(places: NginxPlaces): string {
  const { app, conf, site, place, httpPort, httpsPort } = places
  const upstream = places.upstream ?? join(app, 'deploy/nginx/upstream.conf')
  const portal = readFileSync(join(app, 'deploy/nginx/portal.conf'), 'utf8')
    .replaceAll('portal.example', site)
    .replace(/listen \[::\].*\n/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
    .replace('listen 443', `listen 127.0.0.1:${httpsPort}`)
    .replaceAll('/etc/nginx/portal-upstream.conf', `"${upstream}"`)
    .replace(/\/etc\/nginx\/(portal\.(?:crt|key))/g, (_, name: string) => `"${join(conf, name)}"`)
    .replace(/\/var\/(?:cache|log)\/nginx\/([\w.]+)/g, (_, name: string) => `"${join(place, name)}"`)
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

/** nginx with that file, as the user of the installation. */
export async function startNginx(
  installation: Installation,
  given: { app: string; conf: string; site: string; upstream: string },
): Promise<Running & { httpsPort: number }> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const place = join(installation.folder, 'nginx')
  const file = nginxFile({ ...given, place, httpPort, httpsPort })
  await installation.shell(`mkdir "${place}" && cat > "${place}/nginx.conf" <<'CONF'\n${file}CONF`, null)
  await installation.shell(`nginx -t -q -e stderr -c "${place}/nginx.conf"`, 'nginx accepts the file')
  const running = installation.start('nginx', ['-e', 'stderr', '-c', join(place, 'nginx.conf')], {
    signal: 'SIGQUIT',
  })
  await installation.shell(WAIT_FOR_PORT, null, { PORT: String(httpsPort) })
  return { ...running, httpsPort }
}

const WAIT_FOR_PORT =
  'for try in $(seq 100); do (: </dev/tcp/127.0.0.1/$PORT) 2>/dev/null && exit 0; sleep 0.1; done; exit 1'
