import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contractEndpoints } from '#tests/security/contract-fields.ts'
import { textsOf } from '#tests/support/schema-texts.ts'

/** What a field is called whose text people read as a name. */
const NAMED = /(^|[._])(name|title|nickname|winner|invited_by|captain|members)(\.\*)?$/

/** Fields that follow another rule. */
const OTHERS: Record<string, string> = {
  'PUT /operator/posts/{id}/draft body title': 'what only its writer sees, kept as it is typed',
  'POST /auth/register body name': 'counts for nothing: it equals the username',
  'POST /operator/tournaments/{id}/teams body teams.*.members.*': 'compared as the game has it',
  'PUT /operator/tournaments/{id}/teams/{team_id} body members.*': 'compared as the game has it',
  'GET /tournaments/{id}/draw answer teams.*.name': 'its digest is of these letters',
  'GET /tournaments/{id}/draw answer teams.*.members.*.character_name': 'its digest is of these letters',
  'GET /operator/tournaments/{id} answer teams.*.members.*': 'sent back by the form as the game has it',
  'GET /operator/tournaments/{id} answer withdrawn.*.members.*': 'sent back by the form as the game has it',
}

/** As the bank has them: the name of a receiving account is part of what a payer compares. */
const OF_BANK = /\b(bank_name|account_name)$/

const UNSEEN = '\u202e\u200b\u00ad\u3164\u2800\u{e0041}\ufeff'

const endpoints = await contractEndpoints()
const fields = endpoints.flatMap(({ method, path, body, answer }) =>
  (['body', 'answer'] as const).flatMap((where) => {
    const schema = { body, answer }[where]
    return (schema === undefined ? [] : textsOf(schema))
      .filter((text) => NAMED.test(text.path) && !OF_BANK.test(text.path))
      .map((text) => ({ name: `${method} ${path} ${where} ${text.path}`, schema: text.schema }))
  }),
)

const lets = (schema: z.ZodMiniType, text: string) => {
  const read = z.safeParse(schema, text)
  return read.success && read.data === text
}

test('the names of the contract are found', () => {
  expect(fields.length).toBeGreaterThan(150)
})

test('every name follows the rule: what cannot be seen is refused or removed', () => {
  const broken = fields.filter(({ schema }) => lets(schema, `Rồng${UNSEEN}Lửa`)).map(({ name }) => name)
  expect([...new Set(broken)].sort()).toEqual(Object.keys(OTHERS).sort())
})

test('every name that passes in one form of its letters leaves in one form', () => {
  const broken = fields
    .filter(({ name, schema }) => OTHERS[name] === undefined && lets(schema, 'Rồng Lửa'.normalize('NFD')))
    .map(({ name }) => name)
  expect(broken).toEqual([])
})
