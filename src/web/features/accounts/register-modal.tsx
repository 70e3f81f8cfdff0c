import { useQuery } from '@tanstack/react-query'
import { useState, type ComponentProps } from 'react'
import { useForm } from 'react-hook-form'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useNavigate } from 'react-router'
import { register as registerCall, registerForm } from '#contract/auth.ts'
import { DEFAULT_SERVER_ID } from '#contract/constants.ts'
import { listServers } from '#contract/servers.ts'
import { Alert } from '#ui/alert.tsx'
import { Button, keepFocus } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field, SelectField } from '#ui/field.tsx'
import { browserCall } from '#web/browser-call.ts'
import { accountsCopy as copy } from '#web/features/accounts/accounts.copy.ts'
import { reportToPixelLater } from '#web/parts/pixel/pixel.ts'
import { apiQuery } from '#web/query-client.ts'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { forgetReferral, readReferral } from '#web/session/referral.ts'
import { openSession } from '#web/session/session-store.ts'
import { closeModal, switchModal, type ModalProps } from '#web/parts/modals/modal-store.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'

const serversQuery = apiQuery(listServers)

const EMPTY = { username: '', email: '', phone: '', password: '', confirm_password: '' }

export function RegisterModal({ data, isLeaving }: ModalProps) {
  const { register, submit, errors, isSubmitting, refusal, serverId, chooseServer } = useRegisterForm(
    data.next,
  )
  const field = (name: keyof typeof EMPTY, rest: Omit<ComponentProps<typeof Field>, 'error'>) => (
    <Field {...register(name)} error={errors[name]?.message} {...rest} />
  )
  return (
    <Dialog title={copy.registerTitle} isLeaving={isLeaving} onClose={closeModal}>
      <form noValidate className="space-y-4" onSubmit={(event) => void submit(event)}>
        {refusal.length > 0 && (
          <Alert>
            {refusal.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </Alert>
        )}
        <Field
          {...register('username')}
          label={copy.username}
          hint={copy.usernameHint}
          error={errors.username?.message}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        {field('phone', { label: copy.phone, type: 'tel', inputMode: 'tel', autoComplete: 'tel' })}
        {field('email', { label: copy.email, type: 'email', isOptional: true, autoComplete: 'email' })}
        {field('password', { label: copy.password, type: 'password', autoComplete: 'new-password' })}
        {field('confirm_password', {
          label: copy.confirmPassword,
          placeholder: copy.confirmPasswordPlaceholder,
          type: 'password',
          autoComplete: 'new-password',
        })}
        <ServerChoice value={serverId} onChange={chooseServer} />
        <Button type="submit" isBusy={isSubmitting} className="w-full">
          {copy.register}
        </Button>
      </form>
      <p className="mt-4 flex flex-wrap items-center justify-center text-[0.9375rem]">
        {copy.hasAccount}
        <Button kind="quiet" className="px-2" onMouseDown={keepFocus} onClick={() => switchModal('login')}>
          {copy.login}
        </Button>
      </p>
    </Dialog>
  )
}

function useRegisterForm(next: unknown) {
  const navigate = useNavigate()
  const [refusal, setRefusal] = useState<string[]>([])
  const [serverId, chooseServer] = useState(DEFAULT_SERVER_ID)
  const { register, handleSubmit, formState } = useForm({
    mode: 'onTouched',
    resolver: standardSchemaResolver(registerForm),
    defaultValues: EMPTY,
  })

  const submit = handleSubmit(async ({ username, email, phone, password }) => {
    setRefusal([])
    try {
      const body = {
        username,
        email,
        phone,
        password,
        referral_id: readReferral(),
        name: username,
        server_id: serverId,
      }
      const answer = await openSession(() => browserCall(registerCall, { body }))
      forgetReferral()
      closeModal()
      reportToPixelLater('CompleteRegistration')
      if (answer.message) showToast(answer.message)
      if (typeof next === 'string') await navigate(next)
    } catch (error) {
      setRefusal(messagesOf(error))
    }
  })

  const { errors, isSubmitting } = formState
  return { register, submit, errors, isSubmitting, refusal, serverId, chooseServer }
}

/** Asked only where there is a choice; until the servers are known the default one stands. */
function ServerChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data: servers = [] } = useQuery(serversQuery)
  if (servers.length < 2) return null
  return (
    <SelectField label={copy.server} value={value} onChange={(event) => onChange(event.target.value)}>
      {servers.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
