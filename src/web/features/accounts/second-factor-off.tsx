import { removeSecondFactor } from '#contract/second-factor.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'

export function SecondFactorOff({ onClose }: { onClose: () => void }) {
  const form = useSendForm(removeSecondFactor, {
    start: { code: '' },
    onDone: () => {
      onClose()
      showToast(copy.factorTurnedOff)
    },
  })
  return (
    <Dialog title={copy.factorOffTitle} onClose={onClose}>
      <Form form={form}>
        <p>{copy.factorOffLead}</p>
        <SecondFactorField
          {...form.field('code')}
          label={copy.factorCodeAny}
          placeholder="123456"
          data-autofocus
        />
        <div className="modal-acts">
          <Button kind="plain" onClick={onClose}>
            {copy.back}
          </Button>
          <Button type="submit" isBusy={form.isSending}>
            {copy.factorOffTitle}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
