import { useQuery } from '@tanstack/react-query'
import { exchangeQuery } from '#web/parts/purchase/purchase.api.ts'
import { useSession } from '#web/session/session-store.ts'

const LATE_POLL_MS = 5_000

/** The player's characters and the amounts on offer; nothing is read for a visitor. */
export function useOwnCharacters(isAsked = true) {
  const { user } = useSession()
  return useQuery({
    ...exchangeQuery(user?.id ?? null),
    enabled: isAsked && user !== null,
    staleTime: 0,
    // The game was slow: the list comes with one of the next reads.
    refetchInterval: ({ state }) => (state.data?.characters_at === null ? LATE_POLL_MS : false),
  })
}

export type OwnCharacters = Pick<ReturnType<typeof useOwnCharacters>, 'data' | 'isFetching' | 'refetch'>
