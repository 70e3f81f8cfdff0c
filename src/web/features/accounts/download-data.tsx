import { downloadPersonalData } from '#contract/personal-data.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Form } from '#client/forms/form.tsx'
import { OwnerProof, ownerProofStart, useFactorTurnedOn } from '#web/features/accounts/owner-proof.tsx'
import { personalDataCopy as copy } from '#web/features/accounts/personal-data.copy.ts'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'
import { savingCall } from '#web/parts/sending/saving-call.ts'

const save = savingCall(copy.fileName)

export function DownloadData({ onClose }: { onClose: () => void }) {
  const form = useSendForm(downloadPersonalData, {
    start: ownerProofStart,
    call: save,
    onDone: () => {
      onClose()
      showToast(copy.downloaded)
    },
    onRefused: useFactorTurnedOn(),
  })
  return (
    <Dialog title={copy.download} onClose={onClose}>
      <Form form={form}>
        <p>{copy.downloadLead}</p>
        <OwnerProof form={form} isFirst />
        <Button type="submit" isBusy={form.isSending} className="w-full">
          {copy.downloadSubmit}
        </Button>
      </Form>
    </Dialog>
  )
}
