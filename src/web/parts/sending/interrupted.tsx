import { Alert } from '#ui/alert.tsx'
import { attemptCopy as copy } from '#web/parts/sending/attempt.copy.ts'
import { useIsInterrupted, type AttemptKind } from '#web/parts/sending/attempt.ts'

/** Says, while the connection is broken, that the purchase is safe and what is done about it. */
export function Interrupted({ kind }: { kind: AttemptKind }) {
  if (!useIsInterrupted(kind)) return null
  return (
    <Alert tone="note">
      <p>{copy.interrupted}</p>
    </Alert>
  )
}
