import { useSyncExternalStore } from 'react'
import { useQuery } from '#web/use-query.ts'
import type { listDeliveries } from '#contract/deliveries.ts'
import type { getExchange, Character } from '#contract/exchange.ts'
import { useSession } from '#web/session/session-store.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { ownQuery } from '#web/query-client.ts'

/** Enough to contain also a gift that was bought long ago. */
const RECENT_COUNT = 20

/**
 * Amounts and characters. The same call answers visitors and players, so the answer is cached per player: what the
 * server rendered for everybody must not be taken for a player's characters.
 */
export function exchangeQuery(playerId: string | null) {
  const query = ownQuery<typeof getExchange>('/exchange')
  return { ...query, queryKey: [...query.queryKey, playerId] }
}

export const recentDeliveriesQuery = ownQuery<typeof listDeliveries>('/user/deliveries', {
  query: { page: 1, items_per_page: RECENT_COUNT },
})

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

export type OwnCharacters = Pick<
  ReturnType<typeof useOwnCharacters>,
  'data' | 'isError' | 'isFetching' | 'refetch'
>

/** A value of the page's address, such as a choice that a link makes; null until the page lives, since a rendered page has none. */
export function useAddressed(name: string): string | null {
  return useSyncExternalStore(
    neverChanges,
    () => new URLSearchParams(location.search).get(name),
    () => null,
  )
}

const neverChanges = () => () => {}

const KEY = 'last-character'

/** The character that is chosen before the player chooses one: the only one, or the last that something was bought for here. */
export function usualCharacter(characters: readonly Character[]): Character | undefined {
  if (characters.length === 1) return characters[0]
  const { id } = readStored<{ id: string }>(KEY)
  return characters.find((character) => character.id === id)
}

export function rememberCharacter({ id }: Character): void {
  writeStored(KEY, JSON.stringify({ id }))
}
