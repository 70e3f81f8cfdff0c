import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { createAttemptKeys } from '#web/parts/sending/attempt-keys.ts'
import { CallError } from '#web/call.ts'
import { claimsQuery, sendClaim, type ClaimDraft } from '#web/features/recharge/claim.api.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'

export type ClaimErrors = Partial<Record<string, string>>

const FIELDS = ['amount', 'paid_at', 'bank_reference', 'note', 'picture']

/** Sends a claim once, however often the button is pressed, and tells what the server says against which field. */
export function useClaim(onSent: (id: string) => void) {
  const client = useQueryClient()
  const [keys] = useState(() => createAttemptKeys())
  const [percent, setPercent] = useState<number | null>(null)
  const [errors, setErrors] = useState<ClaimErrors>({})
  /** How often something was said against the fields: each time the first of them wants the focus. */
  const [refusals, setRefusals] = useState(0)
  const isUnderWay = useRef(false)

  function refuse(said: ClaimErrors): void {
    setErrors(said)
    setRefusals((count) => count + 1)
  }

  async function send(draft: ClaimDraft): Promise<void> {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setErrors({})
    setPercent(0)
    try {
      const idempotencyKey = keys.keyFor({ ...draft, picture: traitsOf(draft.picture) })
      const { id } = await sendClaim({ draft, idempotencyKey, onProgress: setPercent })
      keys.succeeded()
      void client.invalidateQueries({ queryKey: claimsQuery(1).queryKey.slice(0, 2) })
      onSent(id)
    } catch (error) {
      keys.failed(error)
      const said = errorsOf(error)
      if (Object.keys(said).length === 0) reportFailure(error)
      else refuse(said)
    } finally {
      isUnderWay.current = false
      setPercent(null)
    }
  }

  return { send, percent, errors, setErrors, refuse, refusals }
}

/** What tells one chosen picture from another, for the attempt's key. */
const traitsOf = (picture: Blob | null) =>
  picture && [picture.size, picture.type, picture instanceof File && picture.lastModified]

/** The first thing said about each field of the form. */
function errorsOf(error: unknown): ClaimErrors {
  if (!(error instanceof CallError)) return {}
  const said = Object.entries(error.body?.errors ?? {})
  return Object.fromEntries(
    said.flatMap(([field, [first]]) => (FIELDS.includes(field) && first ? [[field, first]] : [])),
  )
}
