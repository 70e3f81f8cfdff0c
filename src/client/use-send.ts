import { useRef, useState } from 'react'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { createAttemptKeys } from './attempt-keys.ts'
import type { Call, CallInput } from './call.ts'

export type SendOptions<E extends Endpoint> = {
  /** Replaces the plain call. */
  call?: (endpoint: E, input: CallInput<E>) => Promise<AnswerOf<E>>
  onDone?: (answer: AnswerOf<E>, sent: CallInput<E>) => void
  /** Called with an answer instead of the common report. */
  report?: (answer: AnswerOf<E>, sent: CallInput<E>) => void
  /** Called with a failure instead of the common report. */
  onFailed?: (error: unknown) => void
}

/** How a site calls its server and shows the outcome. */
type Site = { call: Call; reportAnswer: (answer: unknown) => void; reportFailure: (error: unknown) => void }

/**
 * Sends a change to the server and reports how it went. While one is under way the next press is ignored, and
 * a repeated attempt is recognised by the server: a double press buys once.
 */
export function createUseSend({ call: callOfSite, reportAnswer, reportFailure }: Site) {
  return function useSend<E extends Endpoint>(
    endpoint: E,
    { call = callOfSite, onDone, report = reportAnswer, onFailed }: SendOptions<E> = {},
  ) {
    const [isSending, setSending] = useState(false)
    const [keys] = useState(() => createAttemptKeys())
    const isUnderWay = useRef(false)

    async function send(input: CallInput<E> = {}): Promise<void> {
      if (isUnderWay.current) return
      isUnderWay.current = true
      setSending(true)
      try {
        const idempotencyKey = endpoint.isIdempotent ? keys.keyFor(input) : undefined
        const answer = await call(endpoint, { ...input, idempotencyKey })
        keys.succeeded()
        report(answer, input)
        onDone?.(answer, input)
      } catch (error) {
        keys.failed(error)
        if (onFailed) onFailed(error)
        else reportFailure(error)
      } finally {
        isUnderWay.current = false
        setSending(false)
      }
    }

    return { send, isSending }
  }
}
