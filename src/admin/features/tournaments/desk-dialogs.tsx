import { useState } from 'react'
import { Dialog } from '#admin/kit/dialog.tsx'
import { isConflict, reportFailure, useRefresh, useSend } from '#admin/kit/use-send.ts'
import { CallError } from '#client/call.ts'
import {
  type OperatorMatch,
  type OperatorTournament,
  operatorTournaments,
} from '#contract/operator/tournaments.ts'
import { drawnMaxRound, roundPoints } from '#contract/tournament-rules.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { deskCopy as copy } from './desk.copy.ts'
import { namesOf, resultText, type Score, ScoreBoard, scoreOf } from './desk-match.tsx'
import { placeOf } from './desk-waiting.tsx'

type Common = { tournament: OperatorTournament; reason: string; onClose: () => void }

/** The matches that a correction has played again, in a refusal that names them. */
function againOf(error: unknown): readonly string[] | null {
  const present = error instanceof CallError ? error.body?.present : undefined
  if (typeof present !== 'object' || present === null || !('again' in present)) return null
  return Array.isArray(present.again) ? (present.again as string[]) : null
}

/** Corrects the result of a match of any round, after showing which later matches are then played again. */
export function CorrectDialog({ match, tournament, reason, onClose }: Common & { match: OperatorMatch }) {
  // What somebody else changes meanwhile is refused, not overwritten.
  const [begun] = useState(match)
  const [shown] = useState(() => scoreOf(begun))
  const [score, setScore] = useState<Score>(shown)
  const [again, setAgain] = useState<readonly string[] | null>(null)
  const refresh = useRefresh()
  const { id, matches, max_round } = tournament
  const maxRound = drawnMaxRound(max_round, matches)
  const { send, isSending } = useSend(operatorTournaments.correctResult, {
    onDone() {
      refresh()
      onClose()
    },
    onFailed(error) {
      const listed = againOf(error)
      if (listed === null) reportFailure(error)
      else setAgain(listed)
      if (listed === null && isConflict(error)) refresh()
    },
  })
  const submit = () =>
    void send({
      params: { id, match: begun.id },
      body: {
        ...score,
        absent: [...score.absent],
        again: [...(again ?? [])],
        updated_at: begun.updated_at,
        reason,
      },
    })
  const replayed = matches.filter((one) => again?.includes(one.id))
  return (
    <Dialog title={copy.correct.labelOf(placeOf(begun, maxRound))} isBusy={isSending} onClose={onClose}>
      <div className="space-y-4" data-unsent={score !== shown || undefined}>
        <ScoreBoard
          names={namesOf(begun)}
          points={roundPoints(begun.round, maxRound)}
          score={score}
          onScore={(to) => {
            setScore(to)
            setAgain(null)
          }}
        />
        {again?.length === 0 && <Alert tone="note">{copy.correct.nothingAgain}</Alert>}
        {replayed.length > 0 && (
          <Alert>
            <p>{copy.correct.again}</p>
            <ul className="list-disc pl-5">
              {replayed.map((one) => (
                <li key={one.id}>
                  {placeOf(one, maxRound)}: {resultText(one)}
                </li>
              ))}
            </ul>
          </Alert>
        )}
        <div className="flex justify-end">
          <Button isBusy={isSending} onClick={submit}>
            {replayed.length > 0 ? copy.correct.confirm(replayed.length) : copy.correct.label}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

type Undoable = NonNullable<OperatorTournament['undoable']>

/** Such as “ghi kết quả: Bán kết, trận 1 (Bạch Vân – Hắc Phong)”. */
function undoText({ kind, match_id }: Undoable, { matches, max_round }: OperatorTournament): string {
  const text = copy.kinds[kind] ?? kind
  const match = matches.find(({ id }) => id === match_id)
  if (match === undefined || kind === 'results') return text
  const [one, two] = namesOf(match)
  return `${text}: ${placeOf(match, drawnMaxRound(max_round, matches))} (${one} – ${two})`
}

/** Undoes the last act at the desk, which it names. */
export function UndoDialog({ undoable, tournament, reason, onClose }: Common & { undoable: Undoable }) {
  const refresh = useRefresh()
  const [begun] = useState(undoable)
  const [text] = useState(() => undoText(begun, tournament))
  const { send, isSending } = useSend(operatorTournaments.undo, {
    onDone() {
      refresh()
      onClose()
    },
    onFailed(error) {
      refresh()
      reportFailure(error)
      onClose()
    },
  })
  const { number } = begun
  const { id, updated_at } = tournament
  return (
    <ConfirmDialog
      title={copy.undo}
      confirmLabel={copy.undo}
      isBusy={isSending}
      onConfirm={() => void send({ params: { id }, body: { number, updated_at, reason } })}
      onClose={onClose}
    >
      <p>{copy.undoOf(text)}</p>
    </ConfirmDialog>
  )
}
