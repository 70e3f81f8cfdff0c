import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_LIMITS_OF_ADDRESSES } from '#tests/support/processes.ts'
import { NGINX_SITE } from '#tests/support/nginx.ts'
import type { Machine } from './machine.ts'

export const APP = '/opt/cong-ninja'
const VALUES = { APP, CONF: '/etc/cong-ninja', DATA: '/var/lib/cong-ninja', SITE: NGINX_SITE }
const DB_PASSWORD = 'the-password-of-the-owner'
const BOUNCER_PASSWORD = 'the-password-of-pgbouncer'
const at = (port: number) => `postgres://portal:${DB_PASSWORD}@127.0.0.1:${port}/portal`
export const OWNER_URL = at(5432)

/** The commands of a runbook in their order: those of one name are told apart by what they have in them. */
function blockWith(runbook: string, part: string): string {
  const found = [...runbook.matchAll(/^```sh \S+\n([^]*?)^```$/gm)].find(([, text = '']) =>
    text.includes(part),
  )
  if (found === undefined) throw new Error(`the old runbook has no commands with “${part}”`)
  return found[1] as string
}

/**
 * Way B of the old program's docs/runbooks/install.md, which lies at APP: its user, settings, database, units and nginx by its
 * own commands, and its file for PgBouncer. Debian's own PostgreSQL, PgBouncer and nginx.
 */
export async function installOldProgram(
  machine: Machine,
  settings: Record<string, string>,
): Promise<{ certificate: string }> {
  const runbook = await readFile(join(machine.root, APP, 'docs/runbooks/install.md'), 'utf8')
  const step = (part: string, environment = {}, user = 'root') =>
    machine.do(blockWith(runbook, part), { ...VALUES, DB_PASSWORD, ...environment }, user)
  await machine.do(`version=$(ls /usr/lib/postgresql | sort -n | tail -1)
    pg_lsclusters --no-header | while read -r old name _; do pg_dropcluster --stop $old $name; done
    pg_createcluster --port 5432 --start $version main`)
  await machine.do('userdel portal 2>/dev/null || true')
  await step('useradd')
  await step('deploy/portal.env.example')
  await step('CREATE ROLE portal', { PGHOST: '/var/run/postgresql' }, 'postgres')
  await step('s|^#DATABASE_URL=')
  await installPgbouncer(machine)
  const lines = {
    ...settings,
    ...NO_LIMITS_OF_ADDRESSES,
    DATABASE_URL: at(6432),
    DATABASE_DIRECT_URL: OWNER_URL,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}=${value}`)
  await machine.do(`cat >> $CONF/portal.env <<'ENV'\n${text.join('\n')}\nENV`, VALUES)
  await step('portal -- doctor', { HOME: '/root' })
  await step('enable --now portal-web@3001')
  await step('openssl req')
  // The old file names a folder in one that Debian does not have.
  await machine.do('mkdir -p /var/cache/nginx; systemctl start nginx')
  await step('nginx -t')
  await machine.do(`for port in 3001 3002; do ${untilReady('$port')}; done`)
  await step('--resolve')
  return { certificate: await machine.do('cat $CONF/portal.crt', VALUES) }
}

/** In a shell of the machine: until the process at that port answers. */
export const untilReady = (port: number | string) =>
  `curl --fail --silent --output /dev/null --retry 120 --retry-delay 1 --retry-all-errors http://127.0.0.1:${port}/readyz`

async function installPgbouncer(machine: Machine): Promise<void> {
  const values = { ...VALUES, BOUNCER_PASSWORD, PGHOST: '/var/run/postgresql' }
  const sql = `psql -v ON_ERROR_STOP=1 -v password="$BOUNCER_PASSWORD" -f "$APP/deploy/postgres/pgbouncer.sql" portal`
  await machine.do(sql, values, 'postgres')
  await machine.do(
    `install -m 0640 -o postgres -g postgres "$APP/deploy/pgbouncer.ini" /etc/pgbouncer/pgbouncer.ini
     printf '"pgbouncer" "%s"\\n' "$BOUNCER_PASSWORD" > /etc/pgbouncer/userlist.txt
     chown postgres:postgres /etc/pgbouncer/userlist.txt
     systemctl restart pgbouncer`,
    values,
  )
}
