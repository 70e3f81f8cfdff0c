import { useQuery } from '#web/use-query.ts'
import type { getCheckIn } from '#contract/rewards/check-in.ts'
import type { getMilestones } from '#contract/rewards/milestones.ts'
import { ownQuery } from '#web/query-client.ts'
import { useSession } from '#web/session/session-store.ts'

export const checkInQuery = ownQuery<typeof getCheckIn>('/check-in')

/** Visitors are answered the steps alone, so that the answer is remembered for each player. */
function milestonesQuery(playerId: string | null) {
  const query = ownQuery<typeof getMilestones>('/milestones')
  return { ...query, queryKey: [...query.queryKey, playerId] }
}

/** The programme of the moment; null: there is none. Read once it is known who is there. */
export function useMilestones() {
  const { user, status } = useSession()
  return useQuery({
    ...milestonesQuery(user?.id ?? null),
    enabled: status === 'player' || status === 'anonymous',
    staleTime: 0,
  })
}
