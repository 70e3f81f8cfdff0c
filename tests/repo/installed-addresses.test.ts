import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PAYMENT_VENDORS } from '#server/modules/payment-providers/registry.ts'
import { documentedVariables } from '#tests/support/documented-variables.ts'
import program from '../../package.json' with { type: 'json' }
import { root } from './checkout-copy.ts'

const FILE = 'tests/upgrade/installed-addresses.txt'
const read = (file: string) => readFile(join(root, file), 'utf8')

const lines = (await read(FILE)).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
const installed = (kind: string) =>
  lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1))

/** A program of the portal in its folder, to its end. */
function run(line: string, environment: Record<string, string> = {}): Promise<string> {
  const [file = '', ...given] = line.split(' ')
  const options = { cwd: root, env: { ...process.env, ...environment } }
  return new Promise((resolve) => {
    execFile(join(root, file), given, options, (_, output, errors) => resolve(output + errors))
  })
}

/** Names that the product has and the list lacks, which a machine may hold from now on; and those that answer no more. */
const problems = (kind: string, found: Iterable<string>) => {
  const [here, listed] = [new Set(found), new Set(installed(kind))]
  expect(listed.size, kind).toBeGreaterThan(0)
  return [
    ...[...here].filter((name) => !listed.has(name)).map((name) => `add “${kind} ${name}” to ${FILE}`),
    ...[...listed].filter((name) => !here.has(name)).map((name) => `${kind} ${name} answers no more`),
  ]
}

async function sources(folder: string): Promise<string> {
  const files = await readdir(join(root, folder), { recursive: true })
  const texts = files.filter((file) => /(?<!\.test)\.ts$/.test(file)).map((file) => read(join(folder, file)))
  return (await Promise.all(texts)).join('\n')
}

test('every start line of units and images that were ever installed starts the program', async () => {
  const portals = installed('start').filter((line) => line.includes('/server/'))
  // One of each file: which roles follow it is the program's own.
  const files = Map.groupBy(portals, (line) => / (src\S+)/.exec(line)?.[1])
  expect(files.size).toBeGreaterThan(2)
  const starts = [...files.values()].map((same) => run(same.at(-1) as string, { PORT: 'abc' }))
  for (const text of await Promise.all(starts))
    expect(text).toMatch(/^(?:Cổng Ninja cannot start: )?the environment is not right:\n {2}- PORT: /)
  const adapters = installed('start').filter((line) => !portals.includes(line))
  for (const line of adapters)
    expect(await run(line)).toMatch(/^\/etc\/cong-ninja\/game\.json cannot be read/)
})

test('what units and the image start is in the list', async () => {
  const units = await readdir(join(root, 'deploy/systemd'))
  const texts = await Promise.all(
    units.filter((name) => name.endsWith('.service')).map((name) => read(`deploy/systemd/${name}`)),
  )
  const ofUnits = texts.flatMap((text) =>
    [...text.matchAll(/^ExecStart=\/opt\/cong-ninja\/(node_modules\/.*)$/gm)].map(([, line = '']) => line),
  )
  const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(await read('deploy/Dockerfile')) ?? []
  const image = (JSON.parse(entrypoint) as string[]).join(' ')
  expect(ofUnits.length).toBeGreaterThan(3)
  expect([...ofUnits, image].filter((line) => !installed('start').includes(line))).toEqual([])
})

test('every npm script, command and variable of installed machines is known, and new ones are in the list', async () => {
  const scripts = Object.keys(program.scripts)
  expect(installed('script').filter((name) => !scripts.includes(name))).toEqual([])
  const text = await sources('src/server/cli')
  const commands = [...text.matchAll(/^ {2}'?([a-z]+(?:[ -][a-z]+)*)'?: \{$/gm)].map(([, name = '']) => name)
  expect(problems('command', commands)).toEqual([])
  expect(problems('variable', await documentedVariables())).toEqual([])
})

test('every metric that installed alarms and dashboards read, and every address that others call, is there', async () => {
  const text = await sources('src/server')
  const deployed = ['alerts.yml', 'grafana/money.json', 'grafana/processes.json']
  const used = (await Promise.all(deployed.map((file) => read(`deploy/${file}`)))).join('\n')
  const metrics = [...used.matchAll(/\bportal_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(bucket|sum|count)$/, ''),
  )
  expect(metrics.filter((name) => !installed('metric').includes(name))).toEqual([])
  for (const name of [...installed('metric'), ...installed('route')]) expect(text).toContain(`'${name}'`)
  expect(
    problems(
      'webhook',
      PAYMENT_VENDORS.map(({ name }) => name),
    ),
  ).toEqual([])
})
