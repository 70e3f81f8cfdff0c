import type { TestAnswer } from '#tests/support/app.ts'

const AT_ONCE = 20

/** Waits and repeats when the answer has Retry-After. */
async function insist(call: () => Promise<TestAnswer>): Promise<TestAnswer> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
  }
}

/** Makes so many calls, some at a time; the number of answers by their refusal, or by their status. */
export async function manyCalls(
  count: number,
  call: (number: number) => Promise<TestAnswer>,
): Promise<Record<string, number>> {
  const answers: Record<string, number> = {}
  for (let done = 0; done < count; done += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - done) }, (_, index) => done + index)
    for (const { status, body } of await Promise.all(numbers.map((number) => insist(() => call(number))))) {
      const name = status < 300 ? status : (body.code as string)
      answers[name] = (answers[name] ?? 0) + 1
    }
  }
  return answers
}
