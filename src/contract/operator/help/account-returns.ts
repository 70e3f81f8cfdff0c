import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { byId, idText, moment } from '../../fields.ts'
import { shownName } from '../../shown-name.ts'
import { onRow, person, reason, storable } from '../fields.ts'
import { doneOrProposal } from '../proposals.ts'
import { permitted } from '../roles.ts'

/** Whether a visitor's contact is the one that an account has without a proof, or that its game had. */
const sameness = z.enum(['same', 'other', 'none'])

export type Sameness = z.output<typeof sameness>

/** What the portal and the game know of an account that a visitor says is theirs. Contacts are masked. */
const returnFactsSchema = z.object({
  account: person,
  /** Why it cannot be handed back to this visitor, in words; null: it can. */
  refusal: z.nullable(z.string()),
  /** What came over from the game; null: nothing, or something was proved since. */
  hint: z.nullable(z.object({ phone: z.nullable(z.string()), email: z.nullable(z.string()) })),
  /** The visitor's contact against that of the game, and against the unproved one of the account. */
  game_contact: sameness,
  unproved_contact: sameness,
  created_at: moment,
  /** When it came over from a game; null: it was registered here. */
  imported_at: z.nullable(moment),
  /** Within the last 90 days. */
  last_sign_in_at: z.nullable(moment),
  has_second_factor: z.boolean(),
  balance: z.number(),
  last_recharge_at: z.nullable(moment),
  recharges_last_month: z.int(),
  characters: z.array(
    z.object({
      id: z.string(),
      name: shownName,
      server_name: z.nullable(shownName),
      class_name: z.nullable(shownName),
      level: z.int(),
    }),
  ),
  /** When the game told of them; null: it did not answer, and never did before. */
  characters_at: z.nullable(moment),
})

export type ReturnFacts = z.output<typeof returnFactsSchema>

const RETURNERS = permitted('users.return')

export const operatorAccountReturns = {
  facts: endpoint('GET', '/operator/cases/{id}/account', RETURNERS, {
    summary:
      'What is known of the account that the visitor of a case says is theirs, and whether it can be handed back to them. Asks the game for characters, and waits two seconds at most.',
    params: byId,
    query: z.object({
      username: z
        .string('Vui lòng nhập tên đăng nhập')
        .check(
          z.trim(),
          z.minLength(1, 'Vui lòng nhập tên đăng nhập'),
          z.maxLength(20, 'Tối đa 20 ký tự'),
          storable,
        ),
    }),
    answer: returnFactsSchema,
    errors: ['NOT_FOUND'],
  }),
  propose: endpoint('POST', '/operator/users/{id}/return', RETURNERS, {
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
    summary:
      'Hands an account without a proved phone or address back to the visitor of a case: the contact that they proved becomes its only one, its sessions end, and they are told how to set a password. Takes a fresh step-up and a second person.',
    body: z.object({ case_id: idText, reason }),
    ...doneOrProposal(z.object({ is_returned: z.literal(true) })),
  }),
}
