import { useRef, useState } from 'react'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import { browserCall } from '#web/browser-call.ts'
import { CallError, type CallInput } from '#web/call.ts'
import { reportAnswer, reportFailure } from '#web/report-outcome.ts'

type Options<E> = {
  onDone?: (answer: AnswerOf<E>) => void
  /** Told of a failure in place of the common report. */
  onFailed?: (error: unknown) => void
}

/**
 * Sends a change to the server and reports how it went. A repeated attempt whose first try got no answer
 * carries the same idempotency key, so that pressing twice never buys twice.
 */
export function useSend<E extends Endpoint>(endpoint: E, { onDone, onFailed }: Options<E> = {}) {
  const [isSending, setSending] = useState(false)
  const attempt = useRef<{ key: string; of: string } | null>(null)
  const isUnderWay = useRef(false)

  async function send(input: CallInput<E> = {}): Promise<void> {
    if (isUnderWay.current) return
    isUnderWay.current = true
    setSending(true)
    try {
      const idempotencyKey = endpoint.isIdempotent ? keyFor(JSON.stringify(input)) : undefined
      const answer = await browserCall(endpoint, { ...input, idempotencyKey })
      attempt.current = null
      reportAnswer(answer)
      onDone?.(answer)
    } catch (error) {
      if (isSettled(error)) attempt.current = null
      if (onFailed) onFailed(error)
      else reportFailure(error)
    } finally {
      isUnderWay.current = false
      setSending(false)
    }
  }

  function keyFor(of: string): string {
    if (attempt.current?.of !== of) attempt.current = { key: newKey(), of }
    return attempt.current.key
  }

  return { send, isSending }
}

/** A refusal is final; no answer, a failing server or the first try still running leave it open. */
function isSettled(error: unknown): boolean {
  return (
    error instanceof CallError &&
    error.status >= 400 &&
    error.status < 500 &&
    error.body?.code !== 'IN_PROGRESS'
  )
}

/** `crypto.randomUUID` exists on secure origins only; a portal tried out over plain http needs a key as well. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
