import type { getDeletionRequest } from '#contract/accounts/personal-data.ts'
import type { getContactHints, getSecondFactor } from '#contract/accounts/one-time-codes.ts'
import { ownQuery } from '#web/query-client.ts'

export const secondFactorQuery = ownQuery<typeof getSecondFactor>('/user/second-factor')

export const contactHintsQuery = ownQuery<typeof getContactHints>('/user/contact-hints')

export const deletionQuery = ownQuery<typeof getDeletionRequest>('/user/deletion-request')
