import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  confirmLabel: string
  backLabel?: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/**
 * Asks once more before something that cannot be taken back. The focus is on the way back: the Enter key that brought
 * this up confirms nothing when it is pressed for too long. It stays open while the answer is on its way.
 */
export function ConfirmDialog({
  title,
  confirmLabel,
  backLabel = 'Quay lại',
  isBusy = false,
  onConfirm,
  onClose,
  children,
}: Props) {
  const close = () => isBusy || onClose()
  return (
    <Dialog role="alertdialog" title={title} onClose={close}>
      <div className="space-y-4">{children}</div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button data-autofocus kind="plain" onClick={close}>
          {backLabel}
        </Button>
        <Button isBusy={isBusy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
