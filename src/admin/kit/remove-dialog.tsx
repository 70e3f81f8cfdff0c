import type { Endpoint } from '#contract/endpoint.ts'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { useRefresh, useSend } from '#admin/kit/use-send.ts'

type Props = {
  title: string
  confirmLabel: string
  warning: string
  /** What is removed, by the call whose only parameter is its id. */
  removed: { id: string; name: string }
  endpoint: Endpoint
  onClose: () => void
}

/** Asks once more before something is removed by a call that takes no reason. */
export function RemoveDialog({ title, confirmLabel, warning, removed, endpoint, onClose }: Props) {
  const refresh = useRefresh()
  const { send, isSending } = useSend(endpoint, {
    onDone: () => {
      refresh()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirmLabel}
      isBusy={isSending}
      onConfirm={() => void send({ params: { id: removed.id } as never })}
      onClose={onClose}
    >
      <p>
        <strong>{removed.name}</strong>
      </p>
      <p>{warning}</p>
    </ConfirmDialog>
  )
}
