import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

const BACK = 'Quay lại'

type ConfirmDialogProps = {
  title: string
  confirmLabel: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/**
 * Asks for confirmation before something that cannot be undone. The focus is on the button that goes back: the Enter key that
 * opened this confirms nothing when it is held for too long. It stays open until the call has been answered.
 */
export function ConfirmDialog({
  title,
  confirmLabel,
  isBusy = false,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const close = () => isBusy || onClose()
  return (
    <Dialog role="alertdialog" title={title} onClose={close}>
      <div className="space-y-4">{children}</div>
      <div className="modal-acts">
        <Button data-autofocus kind="plain" onClick={close}>
          {BACK}
        </Button>
        <Button isBusy={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
