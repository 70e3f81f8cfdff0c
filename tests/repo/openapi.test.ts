import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'
import { openApiDocument } from '#server/app/openapi.ts'
import { contractEndpoints } from '#tests/security/contract-fields.ts'

/** Rules of the recommended set that do not hold, each with the paths it is about and the reason. */
const EXCEPTIONS: Record<string, { paths: RegExp; reason: string }> = {
  'no-ambiguous-paths': {
    paths: /staff~1(invites~1\{id\}|\{id\}~1roles)|tournaments~1(brackets~1\{id\}|\{id\}~1\w+)/,
    reason: 'an id is a number, and the router takes the fixed words first',
  },
}

test('the OpenAPI document passes the recommended rules of Redocly', async () => {
  const source = JSON.stringify(openApiDocument(await contractEndpoints()))
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' })
  const found = problems.map(({ ruleId, message, location: [place] }) => ({
    ruleId,
    message,
    at: place && 'pointer' in place ? String(place.pointer) : '',
  }))
  expect(found.filter(({ ruleId, at }) => !EXCEPTIONS[ruleId]?.paths.test(at))).toEqual([])
  const used = new Set(found.map(({ ruleId }) => ruleId))
  expect(Object.keys(EXCEPTIONS).filter((rule) => !used.has(rule))).toEqual([])
}, 60_000)
