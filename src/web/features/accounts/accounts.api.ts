import { getDeletionRequest } from '#contract/personal-data.ts'
import { getSecondFactor } from '#contract/second-factor.ts'
import { apiQuery } from '#web/query-client.ts'

export const secondFactorQuery = apiQuery(getSecondFactor)

export const deletionQuery = apiQuery(getDeletionRequest)
