import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { permitted } from './roles.ts'

/** What a new portal needs before it opens, in the order in which an owner does it. */
export const SETUP_STEPS = [
  'second-owner',
  'mail',
  'receiving-accounts',
  'payment-notices',
  'game',
  'legal-texts',
  'backup',
  'first-post',
  'first-promotion',
] as const

export type SetupStep = (typeof SETUP_STEPS)[number]

const setupStepSchema = z.object({
  name: z.enum(SETUP_STEPS),
  /** By what the portal has seen: nobody ticks a step. */
  is_done: z.boolean(),
  /**
   * Which parts of a step that has several are not done: channels (`momo`), providers (`sepay`), kinds of legal texts, `backup`
   * and `restore-test`. Empty of a step that has none, or none yet.
   */
  missing: z.array(z.string()),
})

export type SetupState = z.output<typeof setupStepSchema>

export const setupGuideCall = endpoint('GET', '/operator/setup-guide', permitted('settings.money'), {
  summary: 'What a new portal needs before it opens, each step with whether the portal has seen it done.',
  answer: z.array(setupStepSchema),
})
