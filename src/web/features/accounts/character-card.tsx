import { useQuery } from '#web/use-query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { getExchange } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format.ts'
import { pages, paths } from '#contract/pages.ts'
import type { getGroupEntries, listGroups } from '#contract/ranking.ts'
import type { User } from '#contract/users.ts'
import { Badge } from '#ui/badge.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Card } from '#web/features/accounts/profile-parts.tsx'
import { profileCopy as copy } from '#web/features/accounts/profile.copy.ts'
import { Link } from '#web/navigation.tsx'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { useOwnCharacters } from '#web/parts/purchase/own-characters.ts'
import { isBanned } from '#web/session/session-store.ts'
import { ownQuery } from '#web/query-client.ts'

const groupsQuery = ownQuery<typeof listGroups>('/groups')

/** Who the player is in the game: the strongest character, and how it ranks. */
export function CharacterCard({ user }: { user: User }) {
  return (
    <Card title={user.username}>
      <Loaded query={useOwnCharacters()} skeleton={<Skeleton className="h-20 w-full" />}>
        {(own) => <Strongest {...own} server={user.server_name} />}
      </Loaded>
      <div className="mt-3 flex min-h-11 flex-wrap items-center justify-between gap-2 border-t border-line pt-2">
        <Rank />
        {user.activated && !isBanned(user) && <Badge tone="success">{copy.activated}</Badge>}
      </div>
    </Card>
  )
}

type StrongestProps = Pick<AnswerOf<typeof getExchange>, 'characters' | 'characters_at'> & { server: string }

function Strongest({ characters, characters_at, server }: StrongestProps) {
  const [strongest] = [...characters].sort((a, b) => b.info.level - a.info.level)
  return (
    <div className="flex min-h-20 items-center gap-4">
      {strongest ? (
        <>
          <CharacterHead
            head={strongest.info.head}
            name={strongest.info.headName}
            className="size-20 rounded-xl"
          />
          <div className="min-w-0">
            <strong className="block text-lg wrap-anywhere">{strongest.name}</strong>
            <p className="text-[0.9375rem] text-soft">
              {[strongest.info.className, copy.level(strongest.info.level)].filter(Boolean).join(' · ')}
            </p>
            <p className="text-[0.9375rem] text-soft">{server}</p>
          </div>
        </>
      ) : (
        <p className="text-soft">
          {characters_at === null ? purchaseCopy.charactersLate : copy.noCharacter(server)}
        </p>
      )}
    </div>
  )
}

/** In the first ranking there is. */
function Rank() {
  const [group] = useQuery(groupsQuery).data ?? []
  const entries = useQuery({
    ...ownQuery<typeof getGroupEntries>('/groups/{id}/entries', {
      params: { id: group?.id ?? '' },
      query: {},
    }),
    enabled: group !== undefined,
  })
  const mine = entries.data?.mine
  return (
    <Link to={paths.ranking} className="flex min-h-11 items-center font-bold text-vermilion hover:underline">
      {group && mine ? copy.rank(formatNumber(mine.rank), group.name) : pages.ranking.title}
    </Link>
  )
}
