import { CallError } from '#web/call.ts'

/**
 * Idempotency keys of one button. An attempt that got no answer may have taken effect, so pressing again with
 * the same input repeats its key; anything that was settled, or another input, starts with a new one.
 */
export function createAttemptKeys(newKey: () => string = randomKey) {
  let open: { key: string; of: string } | null = null
  return {
    keyFor(input: unknown): string {
      const of = JSON.stringify(input, (_name, value) => (value instanceof Blob ? traitsOf(value) : value))
      if (open?.of !== of) open = { key: newKey(), of }
      return open.key
    },
    succeeded() {
      open = null
    },
    failed(error: unknown) {
      if (isSettled(error)) open = null
    },
  }
}

/** What tells one chosen file from another. */
const traitsOf = (file: Blob) => [file.size, file.type, file instanceof File && file.lastModified]

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
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
