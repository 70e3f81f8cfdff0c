import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'

type Props<E extends Endpoint> = {
  title: string
  confirmLabel: string
  warning: string
  /** What is removed, by the call whose only parameter is its id. */
  removed: { id: string; name: string }
  endpoint: E
  onDone?: (answer: AnswerOf<E>) => void
  onClose: () => void
}

/** Asks once more, and why, before something is removed. */
export function RemoveDialog<E extends Endpoint>({ confirmLabel, warning, removed, ...act }: Props<E>) {
  return (
    <ActDialog {...act} submitLabel={confirmLabel} params={{ id: removed.id } as never}>
      {() => (
        <>
          <p>
            <strong>{removed.name}</strong>
          </p>
          <p>{warning}</p>
        </>
      )}
    </ActDialog>
  )
}
