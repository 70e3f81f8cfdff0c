import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PAYMENT_VENDORS } from '#server/modules/payment-providers/registry.ts'
import { blocksOf, unitOf } from '#scripts/install-check/files.ts'
import { nginxFile } from '#scripts/install-check/servers.ts'
import { documentedVariables } from '#tests/support/documented-variables.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { root } from './checkout-copy.ts'

const read = (file: string) => readFile(join(root, file), 'utf8')
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

describe('deploy/', () => {
  test('its files set only variables that the portal knows', async () => {
    const known = await documentedVariables()
    const env = await read('deploy/portal.env.example')
    const names = [...env.matchAll(/^#?([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name)
    expect(names).toContain('DATABASE_URL')
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  test('its units start the program that is there, and differ in nothing but what they start', async () => {
    const moved = { '/opt/cong-ninja': '/a b' }
    const shapes = new Set<string>()
    const started: Record<string, string[]> = {}
    for (const name of await readdir(join(root, 'deploy/systemd'))) {
      const text = await read(`deploy/systemd/${name}`)
      const { command } = unitOf(text, { specifiers: { i: '3001' }, moved })
      expect(command[0]).toBe('/a b/node_modules/.bin/node')
      started[name] = command.slice(1)
      shapes.add(text.replace(/^(#|Description|ExecStart|Environment|After)=?.*\n/gm, ''))
    }
    const portal = ['--max-semi-space-size=4', '--expose-gc', 'src/server/start.js']
    expect(started).toEqual({
      'portal.service': portal,
      'portal-web@.service': [...portal, '--web'],
      'portal-worker.service': [...portal, '--worker'],
      'game-adapter.service': ['src/game-adapter/main.ts', '/etc/cong-ninja/game.json'],
    })
    expect(shapes.size).toBe(1)
  })

  test('the check finds every command of the runbook', async () => {
    const blocks = blocksOf(await read('docs/runbooks/install.md'))
    const script = await read('scripts/install-check.ts')
    const unused = [...blocks.keys()].filter((name) => !script.includes(`'${name}'`))
    // The values are the check's own.
    expect(unused).toEqual(['values'])
  })

  const isNginxThere = isThere('nginx') && isThere('openssl')
  test.skipIf(!isNginxThere)(
    'nginx accepts its file (skipped where nginx or openssl is not installed)',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cong ninja nginx-'))
      const request = [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=portal.test',
      ]
      execFileSync(
        'openssl',
        [...request, '-keyout', join(folder, 'portal.key'), '-out', join(folder, 'portal.crt')],
        {
          stdio: 'ignore',
        },
      )
      const file = join(folder, 'nginx.conf')
      const places = { app: root, conf: folder, site: 'portal.test', place: folder }
      await writeFile(file, nginxFile({ ...places, httpPort: 18_080, httpsPort: 18_443 }))
      const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-e', 'stderr', '-c', file], {
        encoding: 'utf8',
      })
      await rm(folder, { recursive: true, force: true })
      expect(stderr.split('\n').filter((line) => line.includes('[emerg]'))).toEqual([])
      expect(status, stderr).toBe(0)
    },
  )
})
