import { useState } from 'react'
import { Link } from 'react-router'
import type { AnswerOf } from '#contract/endpoint.ts'
import { operatorDeliveries } from '#contract/operator/deliveries.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { deliveriesCopy } from '#admin/features/deliveries/deliveries.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'

const copy = deliveriesCopy.many

type Props = { ids: readonly string[]; onDone: () => void }

/** Sends the chosen deliveries again, then says of each what came of it. */
export function RetryMany({ ids, onDone }: Props) {
  const [isAsked, setAsked] = useState(false)
  const [results, setResults] = useState<AnswerOf<typeof operatorDeliveries.retryMany> | null>(null)
  return (
    <>
      <Button kind="plain" onClick={() => setAsked(true)}>
        {copy.label}
      </Button>
      {isAsked && (
        <ActDialog
          title={copy.label}
          submitLabel={copy.submit}
          endpoint={operatorDeliveries.retryMany}
          toBody={({ reason }) => ({ ids: [...ids], reason })}
          onDone={setResults}
          onClose={() => setAsked(false)}
        >
          {() => <p>{copy.text(ids.length)}</p>}
        </ActDialog>
      )}
      {results !== null && (
        <Dialog title={copy.result} onClose={onDone}>
          <p className="mb-3">
            {copy.sent(results.filter(({ status }) => status === 'sent').length, results.length)}
          </p>
          <ul className="mb-4 space-y-1">
            {results.map(({ id, status }) => (
              <li key={id}>
                <Link to={`/deliveries/${id}`}>{id.slice(0, 8)}</Link> · {copy.statuses[status]}
              </li>
            ))}
          </ul>
          <Button onClick={onDone}>{copy.close}</Button>
        </Dialog>
      )}
    </>
  )
}
