import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { root } from './checkout-copy.ts'

/** Calls of operators that change something and are no acts, each with the reason why. */
const NO_ACTS: Record<string, string> = {
  'POST /operator/session': 'signing in',
  'DELETE /operator/session': 'signing out',
  'POST /operator/step-up': 'proves who sits at the console',
  'PUT /operator/posts/{id}/draft': 'what a writer keeps for themselves while typing',
  'DELETE /operator/posts/{id}/draft': 'the writer’s own draft',
  'PUT /operator/legal/{kind}/draft': 'what a writer keeps for themselves while typing',
  'DELETE /operator/legal/{kind}/draft': 'the writer’s own draft',
  'POST /operator/settings/preview-qr': 'draws a picture, changes nothing',
}

/** Acts whose text is their reason. */
const WORDS_ONLY = ['POST /operator/users/{id}/notes']

/** A key keeps the answer, and what these answer is to be known to its reader only. */
const SECRET_ANSWER = ['POST /operator/staff/invites']

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'access' in value

async function changingCalls(): Promise<Map<string, Endpoint>> {
  const folder = join(root, 'src/contract/operator')
  const found = new Map<string, Endpoint>()
  for (const file of await readdir(folder)) {
    const exported = Object.values((await import(join(folder, file))) as Record<string, object>)
    const values = [...exported, ...exported.flatMap((value) => Object.values(value ?? {}))]
    for (const one of values.filter(isEndpoint))
      if (one.method !== 'GET') found.set(`${one.method} ${one.path}`, one)
  }
  return found
}

const fieldsOf = ({ body }: Endpoint) =>
  Object.keys((body as { shape?: Record<string, unknown> } | undefined)?.shape ?? {})

test('every act of an operator has a reason and takes an idempotency key', async () => {
  const calls = await changingCalls()
  expect(calls.size).toBeGreaterThan(50)
  const lacking = [...calls].flatMap(([name, call]) => {
    if (name in NO_ACTS) return []
    const hasReason = fieldsOf(call).includes('reason') || WORDS_ONLY.includes(name)
    const hasKey = call.isIdempotent === true || SECRET_ANSWER.includes(name)
    return [...(hasReason ? [] : [`${name}: reason`]), ...(hasKey ? [] : [`${name}: key`])]
  })
  expect(lacking).toEqual([])
  expect(
    [...Object.keys(NO_ACTS), ...WORDS_ONLY, ...SECRET_ANSWER].filter((name) => !calls.has(name)),
  ).toEqual([])
})
