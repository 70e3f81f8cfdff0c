import { type ReactNode, useRef, useState } from 'react'
import type { AnswerOf, BodyInputOf, Endpoint } from '#contract/endpoint.ts'
import { ActDialog, DialogButton } from './act-dialog.tsx'
import { useRefresh } from './use-send.ts'

export type ProposedAct<E extends Endpoint> = {
  /** What tells it from the others. */
  key: string
  label: ReactNode
  body: (reason: string) => BodyInputOf<E>
  send: (reason: string, idempotencyKey: string) => Promise<AnswerOf<E>>
}

type Acts<E extends Endpoint> = {
  title: string
  submitLabel: string
  text: string
  /** Whose rules the reason has. */
  endpoint: E
  acts: readonly ProposedAct<E>[]
}

/** A button for several acts with one reason, one after the other; a second try leaves out those that were done. */
export const ActsInTurn = <E extends Endpoint>(props: Acts<E>) => (
  <DialogButton
    label={props.title}
    kind="plain"
    renderDialog={(onClose) => <TurnsDialog {...props} onClose={onClose} />}
  />
)

type DialogProps<E extends Endpoint> = Acts<E> & { onClose: () => void }

function TurnsDialog<E extends Endpoint>({ endpoint, onClose, acts: proposed, ...texts }: DialogProps<E>) {
  const refresh = useRefresh()
  // As they were when the dialog opened: a try that failed halfway is repeated under the same keys.
  const [acts] = useState(proposed)
  const done = useRef(new Map<string, AnswerOf<E>>())
  return (
    <ActDialog<E>
      {...texts}
      endpoint={endpoint}
      toBody={({ reason }) => (acts[0] as ProposedAct<E>).body(reason)}
      call={async (_endpoint, { body, idempotencyKey }) => {
        const { reason } = body as { reason: string }
        for (const { key, send } of acts) {
          if (!done.current.has(key)) done.current.set(key, await send(reason, `${idempotencyKey}-${key}`))
        }
        return [...done.current.values()].at(-1) as AnswerOf<E>
      }}
      onRefused={refresh}
      onClose={onClose}
    >
      {() => (
        <ul className="list-disc pl-5">
          {acts.map(({ key, label }) => (
            <li key={key} className="wrap-anywhere">
              {label}
            </li>
          ))}
        </ul>
      )}
    </ActDialog>
  )
}
