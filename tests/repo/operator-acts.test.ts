import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { ACT_GUARDS, type ActGuard } from '#contract/operator/act-guards.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { changingCalls } from '#tests/support/operator-api.ts'

/** Calls of operators that change something and are no acts, each with the reason why. */
const NO_ACTS: Record<string, string> = {
  'POST /operator/session': 'signing in',
  'DELETE /operator/session': 'signing out',
  'POST /operator/step-up': 'proves who sits at the console',
  'PUT /operator/posts/{id}/draft': 'what a writer keeps for themselves while typing',
  'DELETE /operator/posts/{id}/draft': 'the writer’s own draft',
  'PUT /operator/legal/{kind}/draft': 'what a writer keeps for themselves while typing',
  'DELETE /operator/legal/{kind}/draft': 'the writer’s own draft',
  'POST /operator/saved-filters': 'a preference of the operator, for themselves alone',
  'PUT /operator/saved-filters/{id}': 'the operator’s own preference',
  'DELETE /operator/saved-filters/{id}': 'the operator’s own preference',
  'POST /operator/settings/preview-qr': 'draws a picture, changes nothing',
  'POST /operator/daily-closes/{id}/statement-file/read':
    'shows what a file would be taken for, changes nothing',
  'POST /operator/promotions/preview': 'computes what terms would have cost, changes nothing',
}

/** Acts whose text is their reason. */
const WORDS_ONLY = [
  'POST /operator/users/{id}/notes',
  'POST /operator/recharge-orders/{code}/notes',
  'POST /operator/cases/{id}/messages',
]

/** The answer is stored under a key, and what these answer is for its reader only. */
const SECRET_ANSWER = ['POST /operator/staff/invites']

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

const guards = Object.values<ActGuard>(ACT_GUARDS)
const callOf = ({ endpoint: { method, path } }: ActGuard) => `${method} ${path}`

test('every call that changes something has one row in the table of what acts take, and every row a call', async () => {
  const acts = [...(await changingCalls()).keys()].filter((name) => !(name in NO_ACTS))
  const where =
    'ACT_GUARDS of src/contract/operator/act-guards.ts, or to NO_ACTS in this test with the reason'
  expect(listProblems({ found: acts, listed: guards.map(callOf) }, where)).toEqual([])
  expect(guards).toHaveLength(acts.length)
})

test('an act that may take a fresh proof, or wait for a second person, declares so in the contract', () => {
  const withProof = guards.filter(({ endpoint }) => endpoint.errors?.includes('STEP_UP_REQUIRED'))
  expect(withProof.map(callOf).toSorted()).toEqual(
    guards
      .filter(({ proof }) => proof !== 'never')
      .map(callOf)
      .toSorted(),
  )
  const waits = guards.filter(({ endpoint }) => endpoint.mayWait === true)
  expect(waits.map(callOf).toSorted()).toEqual(
    guards
      .filter(({ secondPerson }) => secondPerson !== 'never')
      .map(callOf)
      .toSorted(),
  )
})
