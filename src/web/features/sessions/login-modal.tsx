import { useState } from 'react'
import { paths } from '#contract/pages.ts'
import { useNavigate } from '#web/navigation.tsx'
import { login } from '#contract/accounts/auth.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { SecondFactorField } from '#client/forms/second-factor-field.tsx'
import { browserCall } from '#web/browser-call.ts'
import { Form } from '#client/forms/form.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { openSession } from '#web/session/session-store.ts'
import { announce } from '#web/parts/outcomes/announce.ts'
import {
  closeModal,
  modalStore,
  openModal,
  switchModal,
  type ModalProps,
} from '#web/parts/modals/modal-store.ts'
import { UsernameField, SwitchModal } from '#web/parts/forms/account-fields.tsx'

const copy = {
  login: 'Đăng nhập',
  /** Why a visitor was sent here, by the address they opened. */
  intros: {
    [paths.ranking]:
      'Bảng xếp hạng dành cho người chơi: ai đang dẫn đầu từng máy chủ, và bạn đứng hạng mấy. Đăng nhập hoặc đăng ký để xem.',
  } as Record<string, string>,
  password: 'Mật khẩu',
  secondFactor: 'Mã xác thực hai lớp',
  secondFactorHint: '6 số trong ứng dụng xác thực. Mất điện thoại? Nhập một mã khôi phục.',
  bySms: 'Vào bằng mã SMS',
  byEmail: 'Vào bằng email',
  forgot: 'Quên mật khẩu?',
  noAccount: 'Chưa có tài khoản?',
  register: 'Đăng ký',
} as const

export function LoginModal({ data }: ModalProps) {
  const navigate = useNavigate()
  const [needsSecondFactor, setNeedsSecondFactor] = useState(false)
  const [isThrottled, setThrottled] = useState(false)
  const form = useSendForm(login, {
    start: { username: '', password: '', otp: '' },
    draft: { key: 'login', names: ['username'] },
    call: (endpoint, input) => openSession(() => browserCall(endpoint, input)),
    isRefusedInForm: true,
    onRefused: (code) => {
      if (code === 'SECOND_FACTOR_REQUIRED') setNeedsSecondFactor(true)
      if (code === 'RATE_LIMITED') setThrottled(true)
    },
    onDone: ({ message }) => {
      closeModal()
      if (message) announce({ kind: 'warning', lines: [message] })
      if (typeof data.next === 'string') void navigate(data.next)
    },
  })
  const intro = typeof data.next === 'string' ? copy.intros[data.next.split('?', 1)[0] ?? ''] : undefined
  return (
    <>
      {intro && <p className="mb-4">{intro}</p>}
      <Form form={form}>
        <UsernameField {...form.field('username')} data-autofocus />
        <Field
          {...form.field('password')}
          label={copy.password}
          type="password"
          autoComplete="current-password"
        />
        {needsSecondFactor && (
          <SecondFactorField
            {...form.field('otp')}
            label={copy.secondFactor}
            hint={copy.secondFactorHint}
            autoFocus
          />
        )}
        <Button type="submit" isBusy={form.isSending} className="w-full">
          {copy.login}
        </Button>
      </Form>
      {isThrottled && <OtherWays />}
      <p className="mt-2 text-center">
        <Button kind="text" onClick={() => switchModal('forgot')}>
          {copy.forgot}
        </Button>
      </p>
      <SwitchModal question={copy.noAccount} to="register" label={copy.register} />
    </>
  )
}

/** Others may have used up the attempts of this account: its owner can still sign in by a code or a link. */
function OtherWays() {
  const open = (way: string) => () => openModal('forgot', { ...modalStore.get().data, way })
  return (
    <div className="mt-4 grid gap-3 sm:grid-cols-2">
      <Button kind="plain" onClick={open('phone')}>
        {copy.bySms}
      </Button>
      <Button kind="plain" onClick={open('email')}>
        {copy.byEmail}
      </Button>
    </div>
  )
}
