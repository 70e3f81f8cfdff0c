import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contractEndpoints, textFields } from '#tests/security/contract-fields.ts'

// Without the server's default messages, as in the browser: what a form shows then comes from the schema itself. Another test
// of the same worker may have imported them.
beforeAll(() => {
  const { localeError } = z.config()
  z.config({ localeError: undefined })
  return () => void z.config({ localeError })
})

/** What a form sends by itself, and nobody types or chooses. */
const isConstant = (issue: z.core.$ZodIssue) => issue.code === 'invalid_value' && issue.values.length === 1

const WRONG = ['', ' ', '!', 'một hai ba', '<b>', '-1', '1'.repeat(10), 'x'.repeat(100_000)]

test('no text in a player’s form gets the default English message of the validation library', async () => {
  const calls = (await contractEndpoints()).filter(
    ({ access, body }) => body !== undefined && (access === 'open' || access === 'user'),
  )
  const messages = calls
    .flatMap(textFields)
    .filter(({ where }) => where === 'body')
    .flatMap(({ endpoint, path, schema, put }) =>
      WRONG.flatMap((text) => z.safeParse(schema, put(text)).error?.issues ?? [])
        .filter((issue) => issue.path.join('.') === path.join('.') && !isConstant(issue))
        .map((issue) => `${endpoint.path} ${path.join('.')}: ${issue.message}`),
    )
  expect(messages.length).toBeGreaterThan(50)
  expect([...new Set(messages)].filter((message) => /invalid|input|too |expected/i.test(message))).toEqual([])
})
