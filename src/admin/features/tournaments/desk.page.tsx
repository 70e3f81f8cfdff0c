import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { RowPage } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import {
  type OperatorMatch,
  type OperatorTournament,
  operatorTournaments,
} from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundCount, roundName, roundPoints } from '#contract/tournament-rules.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Field } from '#ui/field.tsx'
import { deskCopy as copy } from './desk.copy.ts'
import { CorrectDialog, UndoDialog } from './desk-dialogs.tsx'
import { DeskMatch, hasSides, isDecided, resultText } from './desk-match.tsx'
import { waitingActs } from './desk-queue.ts'
import { placeOf, RefusedActs, SendingLine } from './desk-waiting.tsx'
import { PhaseBadge } from './tournament-parts.tsx'
import { type Desk, useDesk } from './use-desk.ts'

export const Component = () => (
  <RowPage endpoint={operatorTournaments.get}>
    {(tournament) => <DeskScreen tournament={tournament} />}
  </RowPage>
)

const REASON_KEY = 'desk-reason'

/** One reason for all acts at the desk, kept as long as the tab. */
function useReason() {
  const [reason, setReason] = useState<string>(() => {
    try {
      return sessionStorage.getItem(REASON_KEY) ?? copy.usualReason
    } catch {
      // Storage is forbidden.
      return copy.usualReason
    }
  })
  return {
    reason,
    setReason(text: string) {
      setReason(text)
      try {
        sessionStorage.setItem(REASON_KEY, text)
      } catch {
        // See above.
      }
    },
  }
}

function followNetwork(onChange: () => void) {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

const useOnline = () => useSyncExternalStore(followNetwork, () => navigator.onLine)

const REASON_MIN = 3

function DeskScreen({ tournament }: { tournament: OperatorTournament }) {
  const { reason, setReason } = useReason()
  // The server refuses less, and a referee would not see why each tap failed.
  const usable = reason.trim().length < REASON_MIN ? copy.usualReason : reason
  const desk = useDesk(tournament, usable)
  const isOnline = useOnline()
  const { shown } = desk
  return (
    <ScreenFrame
      title={shown.name}
      acts={
        <Link to={`/tournaments/${shown.id}`} className={buttonClass('plain')}>
          {copy.back}
        </Link>
      }
    >
      <SendingLine desk={desk} tournament={shown} isOnline={isOnline} />
      {shown.phase === 'running' ? (
        <RunningDesk desk={desk} reason={usable} />
      ) : (
        <>
          <PhaseBadge phase={shown.phase} />
          <p>{endText(shown)}</p>
        </>
      )}
      <RefusedActs desk={desk} tournament={shown} />
      <Field
        label={copy.reason}
        value={reason}
        maxLength={500}
        frameClass="max-w-xl"
        onChange={({ target }) => setReason(target.value)}
      />
      <DeskActs desk={desk} tournament={tournament} reason={usable} />
    </ScreenFrame>
  )
}

const endText = ({ phase, winner }: OperatorTournament): string =>
  phase !== 'finished' ? copy.notRunning : winner === null ? copy.noChampion : copy.champion(winner)

type ListProps = { title: string; matches: readonly OperatorMatch[]; desk: Desk }

/** A round may have two thousand matches, more than a phone draws at once. */
const MATCHES_AT_ONCE = 24

function OpenMatches({ title, matches, desk }: ListProps) {
  if (matches.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-lg">{title}</h2>
      <Cards matches={matches} desk={desk} />
    </section>
  )
}

function Cards({ matches, desk }: Omit<ListProps, 'title'>) {
  const { shown, act } = desk
  const [most, setMost] = useState(MATCHES_AT_ONCE)
  const maxRound = drawnMaxRound(shown.max_round, shown.matches)
  return (
    <div className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {matches.slice(0, most).map((match) => (
        <DeskMatch
          key={match.id}
          match={match}
          title={match.round >= maxRound ? roundName(match.round, maxRound) : copy.match(match.position)}
          points={roundPoints(match.round, maxRound)}
          pausedAt={shown.paused_at}
          onAct={act}
        />
      ))}
      {matches.length > most && (
        <Button kind="plain" onClick={() => setMost(most + MATCHES_AT_ONCE)}>
          {copy.moreMatches(matches.length - most)}
        </Button>
      )}
    </div>
  )
}

/** Its content is made when it is opened. */
function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer py-2.5 text-lg font-bold">{title}</summary>
      {isOpen && children}
    </details>
  )
}

type EarlierProps = Omit<ListProps, 'title'> & { onCorrect: (match: OperatorMatch) => void }

/** Results of rounds before, which can still be corrected. */
function EarlierRounds({ matches, desk, onCorrect }: EarlierProps) {
  const { shown, queue } = desk
  const maxRound = drawnMaxRound(shown.max_round, shown.matches)
  const isSent = waitingActs(queue).length === 0
  return (
    <Folded title={copy.earlier}>
      {!isSent && <p className="text-soft">{copy.correct.queued}</p>}
      <ul className="divide-y divide-line">
        {matches.map((match) => (
          <li key={match.id} className="flex items-center justify-between gap-2 py-1">
            <span className="min-w-0 wrap-anywhere">
              {placeOf(match, maxRound)}: {resultText(match)}
            </span>
            <Button
              kind="text"
              disabled={!isSent}
              aria-label={copy.correct.labelOf(placeOf(match, maxRound))}
              onClick={() => onCorrect(match)}
            >
              {copy.correct.label}
            </Button>
          </li>
        ))}
      </ul>
    </Folded>
  )
}

/** The round being played: called matches first, then those to call; what is decided is folded. */
function RunningDesk({ desk, reason }: { desk: Desk; reason: string }) {
  const [corrected, setCorrected] = useState<OperatorMatch | null>(null)
  const { matches, max_round, current_round, paused_at } = desk.shown
  const maxRound = drawnMaxRound(max_round, matches)
  const round = matches.filter((match) => match.round === current_round)
  const open = round.filter((match) => !isDecided(match) && hasSides(match))
  const called = open
    .filter(({ called_at }) => called_at !== null)
    .sort((a, b) => (a.called_at ?? '').localeCompare(b.called_at ?? ''))
  const decided = round.filter(isDecided)
  const earlier = matches.filter(
    (match) => match.round < current_round && isDecided(match) && hasSides(match),
  )
  return (
    <>
      <p className="text-lg font-bold">
        {copy.round(roundName(current_round, maxRound), roundPoints(current_round, maxRound))}
      </p>
      {paused_at !== null && <Alert tone="note">{copy.isPaused}</Alert>}
      <OpenMatches title={copy.called} matches={called} desk={desk} />
      <OpenMatches
        title={copy.notCalled}
        matches={open.filter((match) => !called.includes(match))}
        desk={desk}
      />
      {decided.length > 0 && (
        <Folded title={copy.decided(decided.length)}>
          <Cards matches={decided.filter(hasSides)} desk={desk} />
          <ul>
            {decided
              .filter((match) => !hasSides(match))
              .map((match) => (
                <li key={match.id} className="py-1">
                  {placeOf(match, maxRound)}: {resultText(match)}
                </li>
              ))}
          </ul>
        </Folded>
      )}
      {earlier.length > 0 && <EarlierRounds matches={earlier} desk={desk} onCorrect={setCorrected} />}
      {corrected && (
        <CorrectDialog
          match={corrected}
          tournament={desk.shown}
          reason={reason}
          onClose={() => setCorrected(null)}
        />
      )}
    </>
  )
}

type ActsProps = { desk: Desk; tournament: OperatorTournament; reason: string }

/** What is done to the whole tournament, always within reach of a thumb. */
function DeskActs({ desk, tournament, reason }: ActsProps) {
  const [open, setOpen] = useState<'undo' | 'finish' | null>(null)
  const { shown, queue, act } = desk
  const { matches, max_round, current_round: round, paused_at, phase } = shown
  const isRunning = phase === 'running'
  const isSent = waitingActs(queue).length === 0
  const { undoable } = tournament
  const played = matches.filter((match) => match.round === round)
  const champion = played.find(({ winning_team_id }) => winning_team_id !== null)
  const isReady = isRunning && played.every(isDecided) && !isAlreadyQueued(desk)
  if (!isRunning && (undoable === null || phase === 'cancelled')) return null
  const maxRound = drawnMaxRound(max_round, matches)
  const isLast = round === roundCount(maxRound)
  return (
    <div className="foot-bar -mx-4 -mb-4 flex flex-wrap gap-2 border-t border-line bg-raised px-4 py-2 max-sm:*:grow">
      <Button kind="plain" disabled={undoable === null || !isSent} onClick={() => setOpen('undo')}>
        {copy.undo}
      </Button>
      {isRunning && (
        <Button kind="plain" onClick={() => act({ kind: paused_at === null ? 'pause' : 'resume', round })}>
          {paused_at === null ? copy.pause : copy.resume}
        </Button>
      )}
      {isReady && !isLast && (
        <Button onClick={() => act({ kind: 'next-round', round })}>
          {copy.next(roundName(round + 1, maxRound))}
        </Button>
      )}
      {isReady && isLast && <Button onClick={() => setOpen('finish')}>{copy.finish}</Button>}
      {open === 'undo' && undoable && (
        <UndoDialog
          undoable={undoable}
          tournament={tournament}
          reason={reason}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'finish' && (
        <ConfirmDialog
          title={copy.finish}
          confirmLabel={copy.finish}
          onConfirm={() => {
            act({ kind: 'finish', round })
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        >
          <p>{copy.finishText(championOf(champion))}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

const isAlreadyQueued = ({ queue }: Desk) =>
  waitingActs(queue).some(({ act }) => act.kind === 'next-round' || act.kind === 'finish')

function championOf(final: OperatorMatch | undefined): string | null {
  if (final === undefined) return null
  const { winning_team_id, team1_id, team_one, team_two } = final
  return (winning_team_id === team1_id ? team_one : team_two)?.team_name ?? null
}
