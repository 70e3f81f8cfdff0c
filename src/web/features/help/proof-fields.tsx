import { useState } from 'react'
import { sendVisitorCode } from '#contract/help/visitor-cases.ts'
import { Field } from '#ui/field.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { askCopy as copy } from '#web/features/help/ask.copy.ts'
import { EmailOtp } from '#web/parts/one-time-codes/email-otp.tsx'
import { type PhoneProof, ProvePhone } from '#web/parts/one-time-codes/prove-phone.tsx'

const WAYS = [
  { id: 'email', label: copy.byEmail },
  { id: 'phone', label: copy.byPhone },
]

type Typed = { email: string; code: string }

/** How a visitor proves a contact: an address with the code that was mailed to it, or a phone whose code was verified. */
export function useProof() {
  const [way, setWay] = useState('email')
  const [phone, setPhone] = useState<PhoneProof | null>(null)
  /** Counts the refused proofs: each new one starts with an empty code. */
  const [round, setRound] = useState(0)
  return {
    way,
    setWay,
    setPhone,
    round,
    isReady: way === 'email' || phone !== null,
    bodyOf: ({ email, code }: Typed) => (way === 'email' ? { email, code } : { code: '', ...phone }),
    /** A code serves once. */
    startOver() {
      setPhone(null)
      setRound(round + 1)
    },
  }
}

type Props = {
  proof: ReturnType<typeof useProof>
  email: Omit<Parameters<typeof Field>[0], 'label'>
  code: { code: string; error: string | undefined; onCode: (code: string) => void }
}

export function ProofFields({ proof: { way, setWay, setPhone, round }, email, code }: Props) {
  return (
    <div>
      <p className="font-bold">{copy.ways}</p>
      <Tabs label={copy.ways} tabs={WAYS} chosenId={way} onChoose={setWay}>
        <div className="space-y-5">
          {way === 'email' ? (
            <>
              <Field {...email} label={copy.email} type="email" autoComplete="email" />
              <EmailOtp {...code} endpoint={sendVisitorCode} email={String(email.value).trim()} />
            </>
          ) : (
            <>
              <ProvePhone key={round} onProof={setPhone} />
              <p className="text-sm text-soft">{copy.phoneNote}</p>
            </>
          )}
        </div>
      </Tabs>
    </div>
  )
}
