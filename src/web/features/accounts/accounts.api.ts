import { getSecondFactor } from '#contract/second-factor.ts'
import { apiQuery } from '#web/query-client.ts'

export const secondFactorQuery = apiQuery(getSecondFactor)
