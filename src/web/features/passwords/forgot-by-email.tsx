import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useForm } from 'react-hook-form'
import { requestPasswordReset, requestResetBody } from '#contract/passwords.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { passwordsCopy as copy } from '#web/features/passwords/passwords.copy.ts'
import { closeModal } from '#web/parts/modals/modal-store.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

type Props = { username: string; onUsername: (username: string) => void }

/** The answer says the same whether or not name and address belong together, and so does this form. */
export function ForgotByEmail({ username, onUsername }: Props) {
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    resolver: standardSchemaResolver(requestResetBody),
    defaultValues: { username, email: '' },
  })
  const { send, isSending } = useSend(requestPasswordReset, { onDone: closeModal })
  const { errors } = formState
  const submit = handleSubmit((body) => send({ body }))
  return (
    <form noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
      <p className="text-[0.9375rem] text-soft">{copy.emailLead}</p>
      <Field
        {...register('username', { onChange: ({ target }) => onUsername(target.value) })}
        label={copy.username}
        error={errors.username?.message}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
      />
      <Field
        {...register('email')}
        label={copy.email}
        error={errors.email?.message}
        type="email"
        autoComplete="email"
      />
      <Button type="submit" isBusy={isSending} className="w-full">
        {copy.emailSend}
      </Button>
    </form>
  )
}
