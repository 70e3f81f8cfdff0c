import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readDockerfile } from '../install/files.ts'
import { root } from './checkout-copy.ts'

const read = (file: string) => readFile(join(root, 'deploy', file), 'utf8')

describe('systemd', () => {
  const isThere = spawnSync('systemd-analyze', ['--version']).status === 0

  async function faultsOf(change: (unit: string) => string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-units-'))
    // It checks whether the program is there.
    await mkdir(join(folder, 'node_modules/.bin'), { recursive: true })
    await symlink(process.execPath, join(folder, 'node_modules/.bin/node'))
    const names = await readdir(join(root, 'deploy/systemd'))
    const files = names.map((name) => join(folder, name.replace('@', '@3001')))
    for (const [index, name] of names.entries()) {
      const text = (await read(`systemd/${name}`)).replaceAll('/opt/cong-ninja', folder)
      await writeFile(files[index] as string, change(text))
    }
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
    })
    await rm(folder, { recursive: true, force: true })
    return (stdout + stderr)
      .split('\n')
      .filter((line) => line.includes(folder))
      .join('\n')
  }

  test.skipIf(!isThere)(
    'understands every line of the units (skipped where systemd is not installed)',
    async () => {
      expect(await faultsOf((unit) => unit)).toBe('')
      expect(await faultsOf((unit) => unit.replace('NoNewPrivileges', 'NoNewPrivilege'))).toContain(
        'Unknown key',
      )
    },
  )
})

type Service = {
  image: string
  command?: string[]
  ports?: string[]
  volumes?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  environment?: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean }
  networks: string[]
}

describe('compose.yaml', async () => {
  const { services, networks } = parse(await read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    networks: Record<string, { ipam: { config: { subnet: string }[] } }>
  }
  const ours = Object.entries(services).filter(([, { image }]) => image === 'cong-ninja')

  test('runs two web processes and a worker, which may change nothing but their data and wait for the database', () => {
    expect(ours.map(([name, { command }]) => [name, command])).toEqual([
      ['web1', ['--web']],
      ['web2', ['--web']],
      ['worker', ['--worker']],
    ])
    for (const [, service] of ours)
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        volumes: ['portal-data:/data'],
        depends_on: { db: { condition: 'service_healthy' } },
      })
    expect(services['db']?.healthcheck?.test).toContain('pg_isready')
  })

  test('lets strangers reach nginx and nothing else, and the portal trusts this network alone', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(['nginx'])
    const subnet = networks['inside']?.ipam.config[0]?.subnet
    for (const [, { environment, networks: joined }] of ours) {
      expect(environment?.['TRUST_PROXY']).toBe(subnet)
      expect(joined).toEqual(['inside'])
    }
  })

  test('gives nginx the processes that there are, and files that are there', async () => {
    const upstream = await read('nginx/upstream.compose.conf')
    const servers = [...upstream.matchAll(/server (\w+):3000/g)].map(([, name]) => name)
    expect(servers).toEqual(ours.filter(([, { command }]) => command?.[0] === '--web').map(([name]) => name))
    const mounted = Object.values(services)
      .flatMap(({ volumes }) => volumes ?? [])
      .map((volume) => volume.split(':')[0] as string)
      .filter((source) => source.startsWith('./') && !source.startsWith('./tls/'))
    expect(mounted.length).toBeGreaterThan(2)
    for (const source of mounted) expect(await read(source), source).not.toBe('')
  })
})

test('the image runs the portal as a user of its own, without npm before it, and asks /readyz for its health', async () => {
  const text = await read('Dockerfile')
  const { builds, entrypoint, health, environment } = readDockerfile(text)
  expect(builds).toEqual(['npm ci', 'npm run build && npm prune --omit=dev'])
  expect(entrypoint).toEqual([
    'node_modules/.bin/node',
    '--max-semi-space-size=4',
    '--expose-gc',
    'src/server/start.js',
  ])
  expect(health.join(' ')).toContain(`http://127.0.0.1:${environment['PORT']}/readyz`)
  expect(text).toMatch(/^USER (?!root)\w+$/m)
  expect(text.indexOf('\nUSER ')).toBeGreaterThan(text.lastIndexOf('\nRUN '))
})
