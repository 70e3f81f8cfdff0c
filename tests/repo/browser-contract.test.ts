import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { build } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'
import * as zod from 'zod/mini'
import { BROWSER_CONTRACT } from '#scripts/browser-contract.ts'
import type { Endpoint } from '#contract/endpoint.ts'

type Judged = {
  success: boolean
  data?: unknown
  error?: { issues: readonly { path: PropertyKey[]; message: string }[] }
}
type Schemas = { safeParse: (schema: unknown, value: unknown) => Judged }
type Modules = Record<string, Record<string, unknown>>

const root = fileURLToPath(new URL('../../', import.meta.url))
const ENTRY = 'every-contract'

/** The players' part of the contract, and the schemas it is judged with, as the site is built with them. */
async function buildForBrowsers(names: readonly string[]): Promise<{ schemas: Schemas } & Modules> {
  const exported = names.map((name) => `export * as ${nameOf(name)} from '${root}src/contract/${name}'`)
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === ENTRY ? id : null),
    load: (id: string) =>
      id === ENTRY ? `export * as schemas from 'zod/mini'\n${exported.join('\n')}` : null,
  }
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [entry, BROWSER_CONTRACT],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: ENTRY, preserveEntrySignatures: 'strict' },
    },
  })
  const { output: files } = output as unknown as { output: [{ code: string }] }
  const folder = await mkdtemp(join(tmpdir(), 'browser-contract-'))
  const file = join(folder, 'contract.mjs')
  await writeFile(file, files[0].code)
  const built = (await import(file)) as { schemas: Schemas } & Modules
  await rm(folder, { recursive: true })
  return built
}

const nameOf = (file: string) => basename(file, '.ts').replaceAll('-', '_')

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value

/** What people and scripts may put into any field: right for some, wrong for others. */
const TEXTS = `|  |0|1|123456|12345|abc| nguoichoi1 |người chơi|mat-khau-7|${'x'.repeat(255)}|0912 345 601
+84 (912) 345-601|84912345601|0212345678|ten@vidu.vn|ten@vidu|t***@vidu.vn|2026-11-20T08:00:00+07:00
2026-11-20T08:00:00Z|2026-13-20|2024-02-29T00:00:00Z|2026-02-29T00:00:00Z|2026-11-31T00:00:00Z|2026-11-00T00:00:00Z
0000-02-29T23:59:59.9-23:59|1970-01-01T00:00:00Z|2026-11-20T24:00:00Z|2026-11-20T08:00Z|2026-11-20T08:00:00|2026-11-32T00:00:00Z
terms|pixel|notice|dòng\u0000lạ`
const NUMBERS = [
  0,
  1,
  -1,
  1.5,
  2,
  10_000,
  9_999,
  9e15,
  9e15 + 2,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
]
const LIKELY = [...TEXTS.split(/[|\n]/), ...NUMBERS, true, false, null, undefined, [], ['a'], {}, { a: 1 }]
const aValue = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...LIKELY) },
  fc.string(),
  fc.integer(),
  fc.double(),
)

/** What a form shows: of each field the first. */
const sentences = (judged: Judged) =>
  judged.error &&
  Object.fromEntries(judged.error.issues.map(({ path, message }) => [String(path[0]), message]).toReversed())

const names: string[] = []
const own: Modules = {}
let browsers: { schemas: Schemas } & Modules

beforeAll(async () => {
  for await (const file of glob('*.ts', { cwd: `${root}src/contract` })) {
    if (!file.endsWith('.test.ts')) names.push(file)
  }
  for (const name of names) {
    const file = `${root}src/contract/${name}`
    own[nameOf(name)] = (await import(file)) as Record<string, unknown>
  }
  browsers = await buildForBrowsers(names)
})

const endpoints = (modules: Modules) =>
  Object.entries(modules).flatMap(([module, exported]) =>
    Object.entries(exported)
      .filter(([, value]) => isEndpoint(value))
      .map(([name, value]) => ({ module, name, endpoint: value as Endpoint })),
  )

describe('the contract as browsers get it', () => {
  test('calls the same addresses, and says nothing that is the server’s', () => {
    const all = endpoints(own)
    expect(all.length).toBeGreaterThan(50)
    for (const { module, name, endpoint } of all) {
      const { method, path, access, isIdempotent, form } = endpoint
      const known = browsers[module]?.[name] as Endpoint
      expect(known).toMatchObject({ method, path, access })
      expect([known.isIdempotent, known.form]).toEqual([isIdempotent, form])
      for (const part of ['summary', 'params', 'query', 'answer', 'errors'])
        expect(known).not.toHaveProperty(part)
    }
  })

  test('judges every body as zod does: the same refusals in the same words, and the same is sent', () => {
    const judged = { right: 0, wrong: 0 }
    for (const { module, name, endpoint } of endpoints(own)) {
      if (!endpoint.body) continue
      const { body } = (browsers[module] ?? {})[name] as Endpoint
      const shape = (endpoint.body as unknown as { shape: Record<string, unknown> }).shape
      const fields = Object.fromEntries(Object.keys(shape).map((field) => [field, aValue]))
      const aBody = fc.oneof(
        { weight: 9, arbitrary: fc.record({ ...fields, more: aValue }, { requiredKeys: [] }) },
        aValue,
      )
      fc.assert(
        fc.property(aBody, (value) => {
          const byZod: Judged = zod.safeParse(endpoint.body as never, value)
          const byOwn = browsers.schemas.safeParse(body, value)
          expect(sentences(byOwn), name).toEqual(sentences(byZod))
          expect(byOwn.data, name).toEqual(byZod.data)
          judged[byZod.success ? 'right' : 'wrong'] += 1
        }),
        { numRuns: 500, seed: 7 },
      )
      for (const value of LIKELY) {
        const [byZod, byOwn] = [
          zod.safeParse(endpoint.body as never, value),
          browsers.schemas.safeParse(body, value),
        ]
        expect(byOwn.success, `${name} of ${String(value)}`).toBe(byZod.success)
      }
      // Each field by itself, so that all of its rules are reached.
      for (const [field, rule] of Object.entries(shape)) {
        const known = (body as unknown as { shape: Record<string, unknown> }).shape[field]
        for (const value of LIKELY) {
          const byZod: Judged = zod.safeParse(rule as never, value)
          const byOwn = browsers.schemas.safeParse(known, value)
          expect(sentences(byOwn), `${name}.${field} of ${String(value)}`).toEqual(sentences(byZod))
          expect(byOwn.data).toEqual(byZod.data)
        }
      }
    }
    expect(judged.right).toBeGreaterThan(100)
    expect(judged.wrong).toBeGreaterThan(1_000)
  })
})
