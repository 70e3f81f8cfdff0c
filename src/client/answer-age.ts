import { replaceEqualDeep } from '@tanstack/react-query'
import { SERVER_TIME_HEADER } from '#contract/constants.ts'

/** When the server began to read what it answered; of an act, when it had ended. */
const moments = new WeakMap<object, number>()

export const serverTimeOf = (headers: Headers): number | undefined =>
  Number(headers.get(SERVER_TIME_HEADER)) || undefined

/** Notes how old an answer is. */
export function dated<T>(answer: T, moment: number | undefined): T {
  if (moment !== undefined && typeof answer === 'object' && answer !== null) moments.set(answer, moment)
  return answer
}

export const momentOf = (answer: unknown): number | undefined =>
  typeof answer === 'object' && answer !== null ? moments.get(answer) : undefined

/** Whether an answer that has come is older than the one that is shown: on a bad line they overtake each other. */
export function isOlder(read: unknown, known: unknown): boolean {
  const [at, before] = [momentOf(read), momentOf(known)]
  return at !== undefined && before !== undefined && at < before
}

/** What is shown after an answer has come: for `structuralSharing` of all queries. */
export function newerAnswer(known: unknown, read: unknown): unknown {
  if (isOlder(read, known)) return known
  return dated(replaceEqualDeep(known, read), momentOf(read) ?? momentOf(known))
}
