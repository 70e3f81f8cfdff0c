import { CallError } from '#client/call.ts'
import { randomId } from '#client/random-id.ts'

/**
 * Idempotency keys of one button. An attempt that got no answer may have taken effect, so pressing again with
 * the same input repeats its key; anything that was settled, or another input, starts with a new one.
 */
export function createAttemptKeys(newKey = randomId) {
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

/** The properties by which one chosen file is distinguished from another. */
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
