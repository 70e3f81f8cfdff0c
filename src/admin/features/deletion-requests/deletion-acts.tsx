import { operatorDeletions, type OperatorDeletion } from '#contract/operator/deletion-requests.ts'
import { TextArea } from '#ui/text-area.tsx'
import { deletionsCopy as copy } from '#admin/features/deletion-requests/deletions.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'

export type ActName = 'carryOut' | 'refuse'

type Props = { request: OperatorDeletion; act: ActName; onClose: () => void }

export function DeletionAct({ request, act, onClose }: Props) {
  const common = { params: { id: request.id }, onClose }
  if (act === 'carryOut')
    return (
      <ActDialog
        {...common}
        title={`${copy.carryOut.label} ${request.user.username}`}
        submitLabel={copy.carryOut.label}
        endpoint={operatorDeletions.carryOut}
      >
        {() => <p>{copy.carryOut.text}</p>}
      </ActDialog>
    )
  return (
    <ActDialog
      {...common}
      title={copy.refuse.submit}
      submitLabel={copy.refuse.submit}
      endpoint={operatorDeletions.refuse}
      start={{ message: '' }}
    >
      {(form) => (
        <>
          <p>{copy.refuse.text}</p>
          <TextArea {...form.field('message')} label={copy.refuse.message} maxLength={1_000} />
        </>
      )}
    </ActDialog>
  )
}
