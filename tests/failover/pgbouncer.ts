import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cleanup } from '../harness/fleet.ts'

const PASSWORD = 'the-password-of-pgbouncer'

type Given = { folder: string; adminUrl: string; address: string }

/** PgBouncer on the portal's machine with the shipped file, its port and Debian's places; only the host is the primary's. */
export async function openPgbouncer(cleanup: Cleanup, { folder, adminUrl, address }: Given) {
  const place = join(folder, 'pgbouncer')
  await mkdir(place)
  await chmod(place, 0o755)
  const portal = Object.assign(new URL(adminUrl), { pathname: '/portal' }).href
  execFileSync('psql', [portal, '-v', `password=${PASSWORD}`, '-f', 'deploy/postgres/pgbouncer.sql'], {
    stdio: 'ignore',
  })
  await writeFile(join(place, 'userlist.txt'), `"pgbouncer" "${PASSWORD}"\n`)
  const point = async (host: string) => {
    const shipped = await readFile('deploy/pgbouncer.ini', 'utf8')
    await writeFile(join(place, 'pgbouncer.ini'), shipped.replace('host=127.0.0.1', `host=${host}`))
  }
  await point(address)
  const command = [
    `mount --bind ${place} /etc/pgbouncer`,
    'mkdir -p /run/postgresql /var/log/postgresql',
    ...['/run/postgresql', '/var/log/postgresql'].map(
      (one) => `mount -t tmpfs -o uid=postgres,gid=postgres tmpfs ${one}`,
    ),
    'exec setpriv --reuid=postgres --regid=postgres --init-groups /usr/sbin/pgbouncer -q /etc/pgbouncer/pgbouncer.ini',
  ].join('\n')
  const child = spawn('unshare', ['--mount', 'sh', '-ec', command], { stdio: 'ignore', cwd: '/' })
  const closed = once(child, 'close')
  cleanup.defer(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return {
    url: (owner: string) => Object.assign(new URL(owner), { host: '127.0.0.1:6432', search: '' }).href,
    /** The runbook's: its host in the file, and `systemctl reload pgbouncer`. */
    async leadTo(host: string) {
      await point(host)
      child.kill('SIGHUP')
    },
  }
}
