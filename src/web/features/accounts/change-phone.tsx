import { useState } from 'react'
import { updatePhone } from '#contract/contacts.ts'
import type { User } from '#contract/users.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { CallError } from '#client/call.ts'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { Step } from '#web/features/accounts/step.tsx'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { refreshUser } from '#web/session/session-store.ts'
import { ProvePhone } from '#web/parts/one-time-codes/prove-phone.tsx'
import type { PhoneProof } from '#web/parts/one-time-codes/use-phone-proof.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

type Props = { user: User; onClose: () => void }

/** Proves the account's phone, or sets another. A verified phone has to confirm the new one. */
export function ChangePhone({ user, onClose }: Props) {
  const [hasOld, setOld] = useState(!user.phone_verified)
  const [proof, setProof] = useState<PhoneProof | null>(null)
  /** Counts the refusals, so that each step starts again with an empty code. */
  const [rounds, setRounds] = useState({ old: 0, new: 0 })
  const { send, isSending } = useSend(updatePhone, {
    onDone: () => {
      onClose()
      void refreshUser()
    },
    onFailed: (error) => {
      reportFailure(error)
      if (!(error instanceof CallError) || error.status !== 422) return
      const isOldCodeGone = error.body?.code === 'OTP_REQUIRED'
      setProof(null)
      if (isOldCodeGone) setOld(false)
      setRounds({ old: rounds.old + (isOldCodeGone ? 1 : 0), new: rounds.new + 1 })
    },
  })

  return (
    <Dialog title={user.phone_verified ? copy.phoneTitle : copy.verifyPhoneTitle} onClose={onClose}>
      <div className="space-y-6">
        {user.phone_verified && (
          <Step title={copy.oldPhoneStep} lead={copy.oldPhoneLead(user.phone ?? '')}>
            <ProvePhone
              key={rounds.old}
              isFirst
              label={copy.oldPhone}
              mask={user.phone}
              onProof={(old) => setOld(old !== null)}
            />
          </Step>
        )}
        {hasOld && (
          <Step
            title={user.phone_verified ? copy.newPhoneStep : undefined}
            lead={user.phone_verified ? copy.newPhoneLead : leadFor(user)}
          >
            <ProvePhone
              key={rounds.new}
              isFirst={!user.phone_verified}
              label={user.phone_verified ? copy.newPhone : copy.phone}
              onProof={setProof}
            />
          </Step>
        )}
        {hasOld && proof && (
          <div className="modal-acts">
            <Button
              isBusy={isSending}
              className="w-full"
              onClick={() => void send({ body: { code: proof.code, newPhone: proof.phone } })}
            >
              {copy.savePhone}
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

const leadFor = ({ phone }: User) => (phone === null ? copy.addPhoneLead : copy.verifyPhoneLead(phone))
