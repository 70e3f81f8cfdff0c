import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Values } from '#client/forms/form-rules.ts'
import type { BodyInputOf, Endpoint } from '#contract/endpoint.ts'
import { SEVERAL_MAX, type SeveralAnswer } from '#contract/operator/fields.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { ActDialog, type ActForm } from './act-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { kitCopy } from './kit.copy.ts'

const copy = kitCopy.several

type Props<E extends Endpoint, V extends Values> = {
  label: string
  /** How many rows are chosen. */
  count: number
  /** What a row of the result is called by its id, and where it is shown. */
  linkTo: (id: string) => { to: string; name: string }
  endpoint: E
  start?: V
  toBody: (values: V & { reason: string }) => BodyInputOf<E>
  text?: ReactNode
  children?: (form: ActForm<V>) => ReactNode
  /** The selection is of no more use. */
  onDone: () => void
}

const tones = { done: 'success', waiting: 'waiting', refused: 'danger' } as const

/** One act on the chosen rows: a button, a dialog with one reason, and then what came of each row. */
export function ActOnSeveral<E extends Endpoint, V extends Values = Record<never, never>>({
  label,
  count,
  linkTo,
  onDone,
  ...act
}: Props<E, V>) {
  const [isOpen, setOpen] = useState(false)
  const [results, setResults] = useState<SeveralAnswer['results'] | null>(null)
  const isTooMany = count > SEVERAL_MAX
  return (
    <>
      <Button kind="plain" disabled={isTooMany} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isTooMany && <span className="text-sm">{copy.tooMany(SEVERAL_MAX)}</span>}
      {isOpen && (
        <ActDialog
          {...act}
          title={label}
          submitLabel={copy.submit(count)}
          isEmpty={count === 0}
          onDone={(answer) => setResults((answer as SeveralAnswer).results)}
          onClose={() => setOpen(false)}
        />
      )}
      {results !== null && (
        <Dialog title={copy.result(label)} onClose={onDone}>
          <p className="mb-3">
            {copy.done(results.filter(({ status }) => status === 'done').length, results.length)}
          </p>
          <ul className="mb-4 divide-y divide-line">
            {results.map(({ id, status, message }) => (
              <li key={id} className="py-2 wrap-anywhere">
                <Link to={linkTo(id).to}>{linkTo(id).name}</Link>{' '}
                <Badge tone={tones[status]}>{copy.statuses[status]}</Badge>
                {message && <p className="text-sm text-soft">{message}</p>}
              </li>
            ))}
          </ul>
          <Button onClick={onDone}>{copy.close}</Button>
        </Dialog>
      )}
    </>
  )
}
