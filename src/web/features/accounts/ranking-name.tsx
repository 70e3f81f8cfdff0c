import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { type getGroupEntries, type getRankingName, setRankingName } from '#contract/ranking.ts'
import { Form } from '#client/forms/form.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Fold } from '#web/features/accounts/profile-parts.tsx'
import { profileCopy as copy } from '#web/features/accounts/profile.copy.ts'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { ownKey, ownQuery } from '#web/query-client.ts'

type Name = AnswerOf<typeof getRankingName>

export const rankingNameQuery = ownQuery<typeof getRankingName>('/user/ranking-name')

/** Whether the player is shown in the rankings of recharges, and by what name; the ranking links to it. */
export function RankingName() {
  const query = useQuery({ ...rankingNameQuery, staleTime: 0 })
  return (
    <div id="ranking-name">
      <Fold title={copy.rankingName} isOpen={location.hash === '#ranking-name'}>
        <Loaded query={query} skeleton={<Skeleton className="h-40 w-full" />}>
          {(name) => <NameForm stored={name} />}
        </Loaded>
      </Fold>
    </div>
  )
}

function NameForm({ stored }: { stored: Name }) {
  const client = useQueryClient()
  const [isShown, setShown] = useState(stored.nickname !== null)
  const form = useSendForm(setRankingName, {
    start: { nickname: stored.nickname ?? '' },
    toBody: ({ nickname }) => ({ nickname: isShown ? nickname : null }),
    report: ({ nickname }) => showToast(nickname === null ? copy.nameHidden : copy.nameShown(nickname)),
    onDone: (answer) => {
      client.setQueryData(rankingNameQuery.queryKey, answer)
      void client.invalidateQueries({ queryKey: ownKey<typeof getGroupEntries>('/groups/{id}/entries') })
    },
  })
  return (
    <Form form={form}>
      <p className="text-[0.9375rem] text-soft">{copy.rankingNameLead}</p>
      <label className="flex min-h-11 items-center gap-3 font-bold">
        <input
          type="checkbox"
          className="size-6 shrink-0 accent-fill"
          checked={isShown}
          onChange={({ target }) => setShown(target.checked)}
        />
        {copy.showName}
      </label>
      {isShown && (
        <Field
          {...form.field('nickname')}
          label={copy.nickname}
          hint={copy.nicknameHint}
          maxLength={20}
          autoComplete="off"
        />
      )}
      <Button type="submit" isBusy={form.isSending}>
        {copy.saveName}
      </Button>
    </Form>
  )
}
