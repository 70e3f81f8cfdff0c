import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { changePassword, changePasswordForm } from '#contract/passwords.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { sessionsQuery } from '#web/features/accounts/profile-sessions.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

const EMPTY = { current_password: '', password: '', confirm_password: '' }

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    resolver: standardSchemaResolver(changePasswordForm),
    defaultValues: EMPTY,
  })
  const { send, isSending } = useSend(changePassword, {
    onDone: () => {
      onClose()
      // The other sessions have ended with it.
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  const { errors } = formState
  const submit = handleSubmit(({ current_password, password }) =>
    send({ body: { current_password, password } }),
  )
  return (
    <Dialog title={copy.changePassword} onClose={onClose}>
      <form noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        <Field
          {...register('current_password')}
          label={copy.currentPassword}
          error={errors.current_password?.message}
          type="password"
          autoComplete="current-password"
          data-autofocus
        />
        <Field
          {...register('password')}
          label={copy.newPassword}
          hint={copy.newPasswordHint}
          error={errors.password?.message}
          type="password"
          autoComplete="new-password"
        />
        <Field
          {...register('confirm_password')}
          label={copy.confirmPassword}
          placeholder={copy.confirmPassword}
          error={errors.confirm_password?.message}
          type="password"
          autoComplete="new-password"
        />
        <p className="text-sm text-soft">{copy.passwordState}</p>
        <Button type="submit" isBusy={isSending} className="w-full">
          {copy.changePassword}
        </Button>
      </form>
    </Dialog>
  )
}
