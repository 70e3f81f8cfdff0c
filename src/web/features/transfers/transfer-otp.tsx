import { useEffect, useRef } from 'react'
import { Link } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import type { User } from '#contract/users.ts'
import { Alert } from '#ui/alert.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { paths } from '#contract/pages.ts'
import { ProvePhone } from '#web/parts/one-time-codes/prove-phone.tsx'

type Props = { user: User; limit: number; onProved: () => void }

/** A large transfer requires a code of the player's phone, and a verified phone first. */
export function TransferOtp({ user, limit, onProved }: Props) {
  const section = useRef<HTMLElement>(null)
  // It appears below the pressed button, outside a phone's screen: focus scrolls to it.
  useEffect(() => section.current?.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="transfer-otp"
      className="space-y-4 rounded-xl border border-line bg-raised p-4"
    >
      <h2 id="transfer-otp" className="text-lg">
        {copy.otpTitle}
      </h2>
      {user.phone_verified && user.phone ? (
        <>
          <p className="text-[0.9375rem] text-soft">{copy.otpLead(formatNumber(limit), user.phone)}</p>
          <ProvePhone mask={user.phone} onProof={(proof) => proof && onProved()} />
        </>
      ) : (
        <Alert>
          <p>{copy.otpNoPhone}</p>
          <Link to={paths.profile} className="inline-flex min-h-11 items-center font-bold underline">
            {copy.toProfile}
          </Link>
        </Alert>
      )}
    </section>
  )
}
