import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { getSecondFactor } from '#contract/second-factor.ts'
import type { User } from '#contract/users.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded } from '#web/parts/page-states/loaded.tsx'
import { ChangeEmail } from '#web/features/accounts/change-email.tsx'
import { ChangePassword } from '#web/features/accounts/change-password.tsx'
import { ChangePhone } from '#web/features/accounts/change-phone.tsx'
import { SecondFactorOff } from '#web/features/accounts/second-factor-off.tsx'
import { SecondFactorOn } from '#web/features/accounts/second-factor-on.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { VerifyEmail } from '#web/features/accounts/verify-email.tsx'
import { apiQuery } from '#web/query-client.ts'

export const secondFactorQuery = apiQuery(getSecondFactor)

type Act = 'password' | 'verify-email' | 'email' | 'phone' | 'factor-on' | 'factor-off'

/** Password, contacts and second factor, each with the button to change it. */
export function SecuritySection({ user }: { user: User }) {
  const [act, setAct] = useState<Act | null>(null)
  const client = useQueryClient()
  const close = () => setAct(null)
  function closeFactor() {
    close()
    void client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
  }
  return (
    <Section title={copy.title} className="mt-10">
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        <Row title={copy.password} why={copy.passwordState}>
          <Button kind="plain" onClick={() => setAct('password')}>
            {copy.changePassword}
          </Button>
        </Row>
        <EmailRow user={user} onAct={setAct} />
        <PhoneRow user={user} onAct={setAct} />
        <FactorRow user={user} onAct={setAct} />
      </ul>
      {act === 'password' && <ChangePassword onClose={close} />}
      {act === 'verify-email' && <VerifyEmail email={user.email ?? ''} onClose={close} />}
      {act === 'email' && <ChangeEmail user={user} onClose={close} />}
      {act === 'phone' && <ChangePhone user={user} onClose={close} />}
      {act === 'factor-on' && <SecondFactorOn onClose={closeFactor} />}
      {act === 'factor-off' && <SecondFactorOff onClose={closeFactor} />}
    </Section>
  )
}

type RowProps = { title: string; state?: ReactNode; why?: ReactNode; children?: ReactNode }

function Row({ title, state, why, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 py-3">
      <div className="min-w-0 flex-[1_1_14rem]">
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base">
          {title}
          {state}
        </h3>
        {why && <div className="mt-0.5 text-[0.9375rem] text-soft">{why}</div>}
      </div>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </li>
  )
}

type ActRowProps = { user: User; onAct: (act: Act) => void }

function EmailRow({ user, onAct }: ActRowProps) {
  const canVerify = user.email !== null && !user.email_verified
  return (
    <Row
      title={copy.email}
      state={<ContactState text={user.email} isVerified={user.email_verified} />}
      why={copy.emailWhy}
    >
      {canVerify && (
        <Button onClick={() => onAct('verify-email')}>
          {copy.verify}
          <span className="sr-only"> {copy.email.toLowerCase()}</span>
        </Button>
      )}
      <Button kind="plain" onClick={() => onAct('email')}>
        {user.email === null ? copy.addEmail : copy.changeEmail}
      </Button>
    </Row>
  )
}

function PhoneRow({ user, onAct }: ActRowProps) {
  return (
    <Row
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
    </Row>
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
      <Row title={copy.factor}>
        <Loaded query={query} skeleton={<Skeleton className="h-11 w-20" />}>
          {() => null}
        </Loaded>
      </Row>
    )
  }
  const { is_on, recovery_codes_left: left } = query.data
  return (
    <Row
      title={copy.factor}
      state={<Badge tone={is_on ? 'success' : 'note'}>{is_on ? copy.factorOn : copy.factorOff}</Badge>}
      why={
        <>
          <p>{is_on ? copy.factorLeft(left) : copy.factorWhy}</p>
          {is_on && left <= RECOVERY_CODES_FEW && <p>{copy.factorFew}</p>}
          {isOperator && is_on && <p>{copy.operatorKeeps}</p>}
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
    </Row>
  )
}
