import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { momentText } from '#admin/kit/format.ts'
import { Panel } from '#admin/kit/screen.tsx'
import { reportFailure, useRefresh, useSend } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { type OperatorTournament, operatorTournaments } from '#contract/operator/tournaments.ts'
import { getDraw } from '#contract/tournaments.ts'
import type { Draw } from '#contract/draw-proof.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { Field } from '#ui/field.tsx'
import { tournamentsCopy } from './tournament-parts.tsx'
import { useLiveTournament } from './use-live-tournament.ts'

const copy = tournamentsCopy.draw

type Props = { tournament: OperatorTournament; isReferee: boolean }

/** What a draw is checked with, and how far it is public. */
export function DrawPanel({ tournament, isReferee }: Props) {
  const { id, drawn_at, draw_public_at, mode, phase, revealed } = tournament
  const isOfBefore = drawn_at === null && tournament.current_round > 0
  // What is public follows from how far the draw is shown.
  const { queryKey, ...drawQuery } = read(getDraw, { params: { id } })
  const { data } = useQuery({ ...drawQuery, queryKey: [...queryKey, phase, revealed] })
  // Drawn by a version that promised nothing.
  if (isOfBefore) return null
  const isShowing = phase === 'drawing' && drawn_at !== null
  return (
    <Panel title={copy.title}>
      <Facts
        facts={[
          ...(data ? drawFacts(data) : []),
          ...(drawn_at !== null && mode === 1 && draw_public_at !== null
            ? [{ label: copy.publicAt, value: momentText(draw_public_at) }]
            : []),
        ]}
      />
      <p className="my-3">
        <a href={`/tournament/${id}`}>{copy.verify}</a>
      </p>
      {isShowing && mode === 0 && <LiveDraw tournament={tournament} isReferee={isReferee} />}
      {isShowing && data && data.order.length > 0 && (
        <ol aria-label={copy.order} className="mt-3 grid gap-x-6 sm:grid-cols-2">
          {data.order.map((team, place) => (
            <li key={team}>
              {place + 1}. {data.teams.find((one) => one.id === team)?.name ?? copy.unnamed}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** What the draw is made of, as far as it is public. */
function drawFacts({ commitment, secret, beacon }: Draw) {
  if (commitment === null) return [{ label: copy.list, value: copy.notClosed }]
  if (beacon === null)
    return [
      { label: copy.commitment, value: commitment },
      { label: copy.secret, value: secret ?? copy.later },
    ]
  const { chain, round, randomness } = beacon
  const from = new Date((chain.genesis_time + (round - 1) * chain.period) * 1_000).toISOString()
  const isDemo = chain.name === 'demo'
  return [
    { label: copy.list, value: commitment },
    { label: copy.random, value: randomness ?? copy.later },
    { label: copy.roundLabel, value: copy.source(round, momentText(from)) },
    {
      label: copy.address,
      value: isDemo ? copy.demo : `https://api.drand.sh/${chain.hash}/public/${round}`,
    },
  ]
}

/** Shows the drawn teams to the spectators, one after the other. */
function LiveDraw({ tournament, isReferee }: Props) {
  const { id, revealed, draw_public_at, updated_at } = tournament
  const [reason, setReason] = useState<string>(copy.usualReason)
  const refresh = useRefresh()
  useLiveTournament(id)
  const { send, isSending } = useSend(operatorTournaments.revealNext, {
    onDone: refresh,
    onFailed(error) {
      refresh()
      reportFailure(error)
    },
  })
  const teams = tournament.teams.length
  // The beat has an end that is known.
  const isBeating = draw_public_at !== null
  const reveal = (how: { count: number } | { beat: boolean }) =>
    void send({ params: { id }, body: { ...how, updated_at, reason } })
  return (
    <div className="space-y-3">
      <p role="status" className="text-lg font-bold tabular-nums">
        {copy.revealed(revealed, teams)}
      </p>
      {isReferee && (
        <>
          <div className="flex flex-wrap gap-2 max-sm:*:grow">
            <Button isBusy={isSending} disabled={isBeating} onClick={() => reveal({ count: 1 })}>
              {copy.next}
            </Button>
            <Button kind="plain" isBusy={isSending} onClick={() => reveal({ beat: !isBeating })}>
              {isBeating ? copy.stop : copy.start}
            </Button>
            <Button
              kind="plain"
              isBusy={isSending}
              onClick={() => reveal({ count: Math.max(1, teams - revealed) })}
            >
              {copy.all}
            </Button>
          </div>
          <Field
            label={copy.reason}
            frameClass="max-w-xl"
            value={reason}
            maxLength={500}
            onChange={({ target }) => setReason(target.value)}
          />
        </>
      )}
    </div>
  )
}
