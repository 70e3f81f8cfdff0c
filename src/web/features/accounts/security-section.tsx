import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { useSearchParams } from '#web/navigation.tsx'
import type { User } from '#contract/users.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { AccountRow } from '#web/features/accounts/profile-parts.tsx'
import { ChangeEmail, ChangePhone, VerifyEmail } from '#web/features/accounts/change-contacts.tsx'
import { contactHintsQuery, secondFactorQuery } from '#web/features/accounts/accounts.api.ts'
import { SecondFactorOff, SecondFactorOn } from '#web/features/accounts/second-factor.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { changePassword } from '#contract/accounts/passwords.ts'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { sessionsQuery } from '#web/features/accounts/profile-sessions.tsx'
import { Form } from '#client/forms/form.tsx'
import { checkNewPassword, NewPasswordFields, SubmitRow } from '#web/parts/forms/account-fields.tsx'
import { useGameLimits } from '#web/parts/forms/game-limits.ts'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { hasProvedContact, PROVE } from '#web/session/contact-question.ts'

type Act = 'password' | 'verify-email' | 'email' | 'phone' | 'factor-on' | 'factor-off'

/** Password, contacts and second factor, each with the button to change it. */
export function SecuritySection({ user }: { user: User }) {
  const [act, setAct] = useState<Act | null>(null)
  const isProved = hasProvedContact(user)
  const hints = useQuery({ ...contactHintsQuery, enabled: !isProved })
  // Read before a proof, they are still in the cache.
  const { phone, email } = (!isProved && hints.data) || { phone: null, email: null }
  useAskedProof(user, hints.isFetched, setAct)
  const client = useQueryClient()
  const close = () => setAct(null)
  function closeFactor() {
    close()
    void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  }
  return (
    <Section title={copy.title} className="mt-10">
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        <AccountRow title={copy.password} why={copy.passwordState}>
          <Button kind="plain" onClick={() => setAct('password')}>
            {copy.changePassword}
          </Button>
        </AccountRow>
        <EmailRow user={user} onAct={setAct} />
        <PhoneRow user={user} onAct={setAct} />
        <FactorRow user={user} onAct={setAct} />
      </ul>
      {act === 'password' && <ChangePassword onClose={close} />}
      {act === 'verify-email' && <VerifyEmail email={user.email ?? ''} onClose={close} />}
      {act === 'email' && <ChangeEmail user={user} hint={email ?? ''} onClose={close} />}
      {act === 'phone' && <ChangePhone user={user} hint={phone ?? ''} onClose={close} />}
      {act === 'factor-on' && <SecondFactorOn onClose={closeFactor} />}
      {act === 'factor-off' && <SecondFactorOff onClose={closeFactor} />}
    </Section>
  )
}

/** Opens the form that the address asks for once it can be filled in; the address is then the profile's own again. */
function useAskedProof(user: User, isReady: boolean, open: (act: Act) => void): void {
  const [search, setSearch] = useSearchParams()
  const asked = search.get(PROVE)
  useEffect(() => {
    const isProved = hasProvedContact(user)
    if (asked === null || !(isReady || isProved)) return
    setSearch({}, { replace: true })
    if (isProved) return
    if (asked === 'phone') open('phone')
    else if (asked === 'email') open(canVerifyEmail(user) ? 'verify-email' : 'email')
  }, [asked, isReady, open, setSearch, user])
}

const canVerifyEmail = ({ email, email_verified }: User) => email !== null && !email_verified

type ActRowProps = { user: User; onAct: (act: Act) => void }

function EmailRow({ user, onAct }: ActRowProps) {
  return (
    <AccountRow
      title={copy.email}
      state={<ContactState text={user.email} isVerified={user.email_verified} />}
      why={copy.emailWhy}
    >
      {canVerifyEmail(user) && (
        <Button onClick={() => onAct('verify-email')}>
          {copy.verify}
          <span className="sr-only"> {copy.email.toLowerCase()}</span>
        </Button>
      )}
      <Button kind="plain" onClick={() => onAct('email')}>
        {user.email === null ? copy.addEmail : copy.changeEmail}
      </Button>
    </AccountRow>
  )
}

function PhoneRow({ user, onAct }: ActRowProps) {
  return (
    <AccountRow
      title={copy.phone}
      state={<ContactState text={user.phone} isVerified={user.phone_verified} />}
      why={copy.phoneWhy}
    >
      <Button kind={user.phone_verified ? 'plain' : 'main'} onClick={() => onAct('phone')}>
        {labelOfPhone(user)}
        {user.phone !== null && !user.phone_verified && (
          <span className="sr-only"> {copy.phone.toLowerCase()}</span>
        )}
      </Button>
    </AccountRow>
  )
}

function labelOfPhone({ phone, phone_verified }: User): string {
  if (phone === null) return copy.addPhone
  return phone_verified ? copy.changePhone : copy.verify
}

function ContactState({ text, isVerified }: { text: string | null; isVerified: boolean }) {
  if (text === null) return <Badge tone="note">{copy.none}</Badge>
  return (
    <>
      <span className="min-w-0 font-normal break-all">{text}</span>
      <Badge tone={isVerified ? 'success' : 'note'}>{isVerified ? copy.verified : copy.notVerified}</Badge>
    </>
  )
}

/** With this many left or fewer, the player is advised to get new ones. */
const RECOVERY_CODES_FEW = 3

function FactorRow({ user, onAct }: ActRowProps) {
  const query = useQuery({ ...secondFactorQuery, staleTime: 0 })
  const isOperator = user.role_names.length > 0
  if (!query.data) {
    return (
      <AccountRow title={copy.factor}>
        <Loaded query={query} skeleton={<Skeleton className="h-11 w-20" />}>
          {() => null}
        </Loaded>
      </AccountRow>
    )
  }
  const { is_on, recovery_codes_left: left } = query.data
  return (
    <AccountRow
      title={copy.factor}
      state={<Badge tone={is_on ? 'success' : 'note'}>{is_on ? copy.factorOn : copy.factorOff}</Badge>}
      why={
        <>
          <p>{is_on ? copy.factorLeft(left) : copy.factorWhy}</p>
          {is_on && left <= RECOVERY_CODES_FEW && <p>{copy.factorFew}</p>}
          {isOperator && is_on && <p>{copy.operatorHint}</p>}
          {isOperator && !is_on && (
            <div className="mt-2">
              <Alert>{copy.operatorNeeds}</Alert>
            </div>
          )}
        </>
      }
    >
      <Button
        kind={is_on ? 'plain' : 'main'}
        disabled={is_on && isOperator}
        onClick={() => onAct(is_on ? 'factor-off' : 'factor-on')}
      >
        {is_on ? copy.turnOff : copy.turnOn}
        <span className="sr-only"> {copy.factor.toLowerCase()}</span>
      </Button>
    </AccountRow>
  )
}

function ChangePassword({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const limits = useGameLimits()
  const form = useSendForm(changePassword, {
    start: { current_password: '', password: '', confirm_password: '' },
    check: checkNewPassword(limits),
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
        <NewPasswordFields form={form} limits={limits} />
        <p className="text-sm text-soft">{copy.passwordState}</p>
        <SubmitRow isBusy={form.isSending}>{copy.changePassword}</SubmitRow>
      </Form>
    </Dialog>
  )
}
