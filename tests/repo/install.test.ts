import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { PAYMENT_VENDORS } from '#server/modules/payment-providers/registry.ts'
import { documentedVariables } from '#tests/support/documented-variables.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { blocksOf } from '../install/files.ts'
import { root } from './checkout-copy.ts'

const read = (file: string) => readFile(join(root, file), 'utf8')
const RUNBOOKS = globSync('docs/runbooks/*.md', { cwd: root })
const isThere = (program: string) => spawnSync('which', [program]).status === 0

test('docs/configuration.md lists exactly the variables that the portal reads', async () => {
  const sources = ['src/server/config/config.ts', 'src/server/platform/tracing/environment.ts']
  const texts = await Promise.all(sources.map(read))
  const own = texts.flatMap((text) =>
    [...text.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name),
  )
  const ofVendors = PAYMENT_VENDORS.flatMap(({ env }) => Object.keys(env.shape))
  const variables = { found: [...own, ...ofVendors], listed: await documentedVariables() }
  expect(listProblems(variables, 'docs/configuration.md')).toEqual([])
})

/** What a stranger must not know: by itself, or as the password in an address. */
const SECRET = /_(SECRET|KEY|TOKEN|HEADERS)$|^(SMTP|DATABASE(_\w+)?)_URL$/

test('docs/runbooks/secrets.md says of every secret of the configuration how it is changed', async () => {
  const secrets = [...(await documentedVariables())].filter((name) => SECRET.test(name))
  expect(secrets.length).toBeGreaterThan(18)
  const text = await read('docs/runbooks/secrets.md')
  expect(secrets.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

describe('deploy/', () => {
  test('its files set only variables that the portal knows', async () => {
    const known = await documentedVariables()
    const env = await read('deploy/portal.env.example')
    const names = [...env.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name)
    expect(names).toContain('DATABASE_URL')
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  test('its units start the program that is there, and differ in nothing but what they start', async () => {
    const shapes = new Set<string>()
    const started: Record<string, string> = {}
    for (const name of await readdir(join(root, 'deploy/systemd'))) {
      if (!name.endsWith('.service')) continue
      const text = await read(`deploy/systemd/${name}`)
      const command = /^ExecStart=(.*)$/m.exec(text)?.[1]?.split(' ') ?? []
      expect(command[0]).toBe('/opt/cong-ninja/node_modules/.bin/node')
      started[name] = command.slice(1).join(' ')
      // What a timer starts is enabled by its timer.
      const common = text.replace(/\n\[Install\]\n.*\n$/, '')
      shapes.add(
        common.replace(
          /^(#|Description|ExecStart|Environment|After|Type|Restart|RestartSec|LogRateLimitIntervalSec|StateDirectory)=?.*\n/gm,
          '',
        ),
      )
    }
    const portal = '--max-semi-space-size=4 --expose-gc src/server/start.js'
    expect(started).toEqual({
      'portal-backup.service': 'src/server/cli.ts backup --into /var/lib/cong-ninja/backups --keep 14',
      'portal-restore-test.service': 'src/server/cli.ts restore-test /var/lib/cong-ninja/backups',
      'portal.service': portal,
      'portal-web@.service': `${portal} --web`,
      'portal-worker.service': `${portal} --worker`,
      'game-adapter.service': 'src/game-adapter/main.ts /etc/cong-ninja/game.json',
    })
    expect(shapes.size).toBe(1)
  })

  test('npm run install-check runs every command of its runbooks', async () => {
    const script = await read('tests/install/main.ts')
    for (const runbook of ['install', 'backup', 'restore', 'secrets']) {
      const blocks = blocksOf(await read(`docs/runbooks/${runbook}.md`))
      expect(
        [...blocks.keys()].filter((name) => !script.includes(`'${name}'`)),
        runbook,
      ).toEqual([])
    }
  })

  // What systemd, a shell, Node and compose read alike: no quotes around nothing but plain letters, or single ones.
  const ALIKE = /^[A-Z][A-Z_]+=(?:[\w./:@%,+=-]*|'[^'\\\n]*')$/

  test('systemd and a shell read the same in the example of the settings, and in every value of the documents', async () => {
    const known = await documentedVariables()
    const example = (await read('deploy/portal.env.example')).replace(/^#(?=[A-Z][A-Z_]+=)/gm, '')
    const texts = await Promise.all([...RUNBOOKS, 'docs/configuration.md'].map(read))
    const documented = texts.flatMap((text) =>
      [...text.matchAll(/`([A-Z][A-Z_]+)=([^`$…]*)`/g)]
        .filter(([, name = '']) => known.has(name))
        .map(([, name = '', value = '']) => `${name}=${value}`),
    )
    const compose = await read('deploy/compose.env.example')
    const lines = [
      `${example}\n${compose}`.split('\n').filter((line) => /^[A-Z]/.test(line)),
      documented,
    ].flat()
    expect(lines.length).toBeGreaterThan(30)
    expect(lines.filter((line) => !ALIKE.test(line))).toEqual([])
    const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-env-'))
    await writeFile(join(folder, 'portal.env'), example)
    const shell = spawnSync('sh', ['-euc', 'set -a; . ./portal.env; exec env -0'], { cwd: folder, env: {} })
    await rm(folder, { recursive: true })
    const inShell = Object.fromEntries(
      shell.stdout
        .toString()
        .split('\0')
        .map((entry) => [entry.split('=', 1)[0], entry.slice(entry.indexOf('=') + 1)]),
    )
    expect(inShell).toMatchObject(parseEnv(example))
    expect(inShell['MAIL_FROM']).toBe('Cổng Ninja <no-reply@portal.example>')
  })

  const maySeparate = isThere('nginx') && isThere('openssl') && process.getuid?.() === 0
  test.skipIf(!maySeparate)(
    'nginx accepts its files where the runbook puts them on Debian (skipped without root, nginx or openssl)',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-nginx-'))
      const blocks = blocksOf(await read('docs/runbooks/install.md'))
      await cp('/etc/nginx', join(folder, 'nginx'), { recursive: true })
      await mkdir(join(folder, 'conf'))
      await cp(join(root, 'deploy/portal.env.example'), join(folder, 'conf/portal.env'))
      // What Debian's package has below /var, and nothing that another one made. There is no systemd to reload it.
      const commands = `
        mount --bind "$FOLDER/nginx" /etc/nginx
        mount -t tmpfs tmpfs /var
        mkdir -p /var/cache /var/lib/nginx /var/log/nginx
        systemctl() { :; }
        SITE=portal.test ADMIN_SITE=admin.portal.test APP=${root} CONF="$FOLDER/conf"
        ${['certificate', 'nginx', 'console-host'].map((name) => blocks.get(name)).join('\n')}`
      const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'bash', '-euc', commands], {
        encoding: 'utf8',
        env: { ...process.env, FOLDER: folder },
      })
      await rm(folder, { recursive: true, force: true })
      expect(status, stdout + stderr).toBe(0)
    },
  )
})
