import type { ComponentProps } from 'react'
import { useQuery } from '#web/use-query.ts'
import { useNavigate } from '#web/navigation.tsx'
import { register } from '#contract/accounts/auth.ts'
import { DEFAULT_SERVER_ID } from '#contract/constants.ts'
import { typedUsername } from '#contract/fields.ts'
import { type GameLimits, nameFault } from '#contract/game/limits.ts'
import { pages, paths } from '#contract/pages.ts'
import { Field, SelectField } from '#ui/field.tsx'
import { browserCall } from '#web/browser-call.ts'
import { Form } from '#client/forms/form.tsx'
import {
  checkNewPassword,
  NewPasswordFields,
  SubmitRow,
  UsernameField,
  SwitchModal,
} from '#web/parts/forms/account-fields.tsx'
import {
  isPasswordNarrowed,
  passwordHint,
  useGameLimits,
  usernameHint,
} from '#web/parts/forms/game-limits.ts'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { reportToPixelLater } from '#web/parts/pixel/pixel.ts'
import { forgetReferral, readReferral } from '#web/session/referral.ts'
import { openSession } from '#web/session/session-store.ts'
import { closeModal, type ModalProps } from '#web/parts/modals/modal-store.ts'
import { serversQuery } from '#web/parts/settings/settings.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'

const copy = {
  register: 'Đăng ký',
  email: 'Email',
  phone: 'Số điện thoại',
  password: 'Mật khẩu',
  server: 'Máy chủ',
  agreement: ['Bấm “Đăng ký” là bạn đồng ý với', 'và'],
  hasAccount: 'Đã có tài khoản?',
  login: 'Đăng nhập',
} as const

const EMPTY = {
  username: '',
  phone: '',
  email: '',
  password: '',
  confirm_password: '',
  server_id: DEFAULT_SERVER_ID,
}

export function RegisterModal({ data }: ModalProps) {
  const limits = useGameLimits()
  const form = useRegisterForm(data.next, limits)
  return (
    <>
      <Form form={form}>
        <UsernameField {...form.field('username')} hint={usernameHint(limits)} data-autofocus />
        <Field {...form.field('phone')} label={copy.phone} type="tel" inputMode="tel" autoComplete="tel" />
        <Field {...form.field('email')} label={copy.email} type="email" isOptional autoComplete="email" />
        <NewPasswordFields
          form={form}
          limits={limits}
          label={copy.password}
          hint={isPasswordNarrowed(limits) ? passwordHint(limits) : ''}
        />
        <ServerChoice {...form.field('server_id')} />
        <AgreementLine />
        <SubmitRow isBusy={form.isSending} aria-describedby={AGREEMENT}>
          {copy.register}
        </SubmitRow>
      </Form>
      <SwitchModal question={copy.hasAccount} to="login" label={copy.login} className="mt-4" />
    </>
  )
}

const AGREEMENT = 'register-agreement'

/** What pressing the button means. The texts open beside the form, so that nothing typed is lost. */
function AgreementLine() {
  const link = (kind: 'terms' | 'privacy') => (
    <a href={paths[kind]()} target="_blank" rel="noopener" className="font-bold text-vermilion underline">
      {pages[kind].title}
    </a>
  )
  return (
    <p id={AGREEMENT} className="text-sm">
      {copy.agreement[0]} {link('terms')} {copy.agreement[1]} {link('privacy')}.
    </p>
  )
}

function useRegisterForm(next: unknown, limits: GameLimits) {
  const navigate = useNavigate()
  return useSendForm(register, {
    start: EMPTY,
    draft: { key: 'register', names: ['username', 'phone', 'email'] },
    check: (typed) => {
      const fault = nameFault(limits, typedUsername(typed.username))
      return { ...(fault !== null && { username: fault }), ...checkNewPassword(limits)(typed) }
    },
    toBody: (typed) => ({ ...typed, name: typed.username.trim(), referral_id: readReferral() }),
    call: (endpoint, input) => openSession(() => browserCall(endpoint, input)),
    isRefusedInForm: true,
    onDone: ({ message }) => {
      forgetReferral()
      closeModal()
      reportToPixelLater('CompleteRegistration')
      if (message) showToast(message)
      if (typeof next === 'string') void navigate(next)
    },
  })
}

/** Shown only when there is a choice; until the servers are loaded the default one is chosen. */
function ServerChoice(field: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) {
  const { data: servers = [] } = useQuery(serversQuery)
  if (servers.length < 2) return null
  return (
    <SelectField {...field} label={copy.server}>
      {servers.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
