import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../envelope.ts'
import { person, reason } from './act-fields.ts'
import { permitted } from './roles.ts'

/** What must hold between tables that different code writes. */
export const RECONCILIATION_RULES = [
  'R1',
  'R2',
  'R3',
  'R4',
  'R5',
  'R6',
  'R7',
  'R8',
  'R9',
  'R10',
  'R11',
  'R12',
] as const

export type ReconciliationRule = (typeof RECONCILIATION_RULES)[number]

/** Of each rule at most so many rows are named. */
export const RECONCILIATION_EXAMPLES_MAX = 20

const exampleSchema = z.object({
  /** Null where a rule is about all accounts together. */
  kind: z.nullable(
    z.enum([
      'user',
      'ledger-account',
      'ledger-transfer',
      'bank-transfer',
      'payment-event',
      'recharge-order',
      'delivery',
      'idempotency-key',
    ]),
  ),
  /** Its id, of an order its code. */
  id: z.nullable(z.string()),
})

export type ReconciliationExample = z.output<typeof exampleSchema>

const runSchema = z.object({
  id: idText,
  /** Started by an operator, by the clock once a day, or by `portal reconcile`. */
  origin: z.enum(['daily', 'console', 'command']),
  by: z.nullable(person),
  finished_at: moment,
  took_ms: z.int(),
  /** Rows that break a rule, of all rules together. */
  found: z.int(),
  rules: z.array(
    z.object({
      rule: z.enum(RECONCILIATION_RULES),
      found: z.int(),
      /** The first of them. */
      examples: z.array(exampleSchema),
    }),
  ),
})

export type ReconciliationRun = z.output<typeof runSchema>

const reconciliationSchema = z.object({
  /** The run that was asked for and is not finished. */
  running: z.nullable(z.object({ id: idText, by: z.nullable(person), asked_at: moment })),
  /** The last one that was finished; null before the first. */
  last: z.nullable(runSchema),
  /** When the newest run came to no end. */
  failed_at: z.nullable(moment),
})

export type Reconciliation = z.output<typeof reconciliationSchema>

export const operatorReconciliation = {
  get: endpoint('GET', '/operator/reconciliation', permitted('ledger.read'), {
    summary:
      'The last run of the checks R1–R12 of ledger, orders, deliveries and payment events: what each found.',
    answer: reconciliationSchema,
  }),
  start: endpoint('POST', '/operator/reconciliation', permitted('bank-transfers.match'), {
    summary: 'Asks for a run, which a worker makes; one at a time. Answers at once.',
    body: z.object({ reason }),
    answer: reconciliationSchema,
    isIdempotent: true,
    errors: ['CONFLICT', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
}
