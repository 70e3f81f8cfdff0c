import type { ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { momentCopy as copy } from '#web/parts/moment/moment.copy.ts'
import { DIALOG_KINDS, type Moment } from '#web/parts/moment/moment.ts'
import { DIALOG_TITLES, dismissAnnouncement } from '#web/parts/outcomes/dialog-store.ts'
import { outcomeCopy } from '#web/parts/outcomes/outcomes.copy.ts'

type Props = {
  moment: Moment
  /** What happened, in sentences. */
  lines: readonly string[]
  isLost: boolean
  /** What the player has now. */
  balance: ReactNode
  buttons: ReactNode
  children: ReactNode
}

/** A message dialog that follows what it tells about: the same titles and button, and the state as it is now. */
export function MomentDialog({ moment, lines, isLost, balance, buttons, children }: Props) {
  return (
    <Dialog
      role="alertdialog"
      title={DIALOG_TITLES[DIALOG_KINDS[moment.phase]]}
      onClose={dismissAnnouncement}
    >
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
    </Dialog>
  )
}
