import { useQueryClient } from '@tanstack/react-query'
import { changePassword } from '#contract/passwords.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { sessionsQuery } from '#web/features/accounts/profile-sessions.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { Form } from '#client/forms/form.tsx'
import { checkRepeated, NewPasswordFields } from '#web/parts/forms/new-password-fields.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const form = useSendForm(changePassword, {
    start: { current_password: '', password: '', confirm_password: '' },
    check: checkRepeated,
    onDone: () => {
      onClose()
      // The other sessions have ended with it.
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  return (
    <Dialog title={copy.changePassword} onClose={onClose}>
      <Form form={form}>
        <Field
          {...form.field('current_password')}
          label={copy.currentPassword}
          type="password"
          autoComplete="current-password"
          data-autofocus
        />
        <NewPasswordFields form={form} />
        <p className="text-sm text-soft">{copy.passwordState}</p>
        <div className="modal-acts">
          <Button type="submit" isBusy={form.isSending} className="w-full">
            {copy.changePassword}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
