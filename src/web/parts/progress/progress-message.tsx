import { useEffect, type ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { progressCopy as copy, DIALOG_KINDS, type Progress } from '#web/parts/progress/progress.ts'
import { changeKind, dismissAnnouncement, outcomeCopy } from '#web/parts/outcomes/announce.ts'

type Props = {
  progress: Progress
  /** What happened, in sentences. */
  lines: readonly string[]
  isLost: boolean
  /** What the player has now. */
  balance: ReactNode
  buttons: ReactNode
  children: ReactNode
}

/** A message that follows the state it reports. */
export function ProgressMessage({ progress, lines, isLost, balance, buttons, children }: Props) {
  const kind = DIALOG_KINDS[progress.phase]
  useEffect(() => changeKind(kind), [kind])
  return (
    <>
      {children}
      <div aria-live="polite" className="mt-5 space-y-1">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      {balance}
      {isLost && <output className="mt-3 block text-sm text-soft">{copy.lost}</output>}
      <div className="modal-acts">
        {buttons}
        <Button data-autofocus className="min-h-12 w-full" onClick={dismissAnnouncement}>
          {outcomeCopy.confirm}
        </Button>
      </div>
    </>
  )
}
