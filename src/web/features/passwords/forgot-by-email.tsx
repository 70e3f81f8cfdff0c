import { requestPasswordReset } from '#contract/passwords.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { UsernameField, type SharedUsername } from '#web/features/passwords/username-field.tsx'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send-form.ts'
import { closeModal } from '#web/parts/modals/modal-store.ts'

/** The answer is the same whether or not name and address belong together, and so is this form's. */
export function ForgotByEmail({ username, onUsername }: SharedUsername) {
  const form = useSendForm(requestPasswordReset, {
    start: { username, email: '' },
    draft: { key: 'forgot', names: ['email'] },
    onDone: closeModal,
  })
  return (
    <Form form={form}>
      <p className="text-[0.9375rem] text-soft">{copy.emailLead}</p>
      <UsernameField {...form.field('username')} onUsername={onUsername} data-autofocus />
      <Field {...form.field('email')} label={copy.email} type="email" autoComplete="email" />
      <div className="modal-acts">
        <Button type="submit" isBusy={form.isSending} className="w-full">
          {copy.emailSend}
        </Button>
      </div>
    </Form>
  )
}
