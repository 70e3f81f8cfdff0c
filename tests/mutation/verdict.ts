import type { TestRun } from './working-copy.ts'

/**
 * `caught`: a test's own assertion fails. `survived`: every test passes. `broken`: the tests could not say, since they do
 * not run at all or fail of something else than what they assert.
 */
export type Verdict = { guard: string; end: 'caught' | 'survived' | 'broken'; detail: string }

/** `expect` itself throws plain errors for what was or was not thrown, and for what was done instead of being refused. */
const isAssertion = (failure: string) =>
  /^(AssertionError|Error: expect(ed|\()|Error: promise resolved .* instead of rejecting)/s.test(failure)

const firstLine = (text: string) => text.split('\n', 1)[0]?.slice(0, 160) ?? ''

export function judge(guard: string, { results, crash }: TestRun): Verdict {
  const failed = results.filter(({ isPassed }) => !isPassed)
  const caughtBy = failed.find(({ failure }) => isAssertion(failure))
  if (caughtBy) return { guard, end: 'caught', detail: `${caughtBy.file}: ${caughtBy.name}` }
  const [first] = failed
  if (first) return { guard, end: 'broken', detail: `${first.name}: ${firstLine(first.failure)}` }
  if (crash !== null) return { guard, end: 'broken', detail: firstLine(crash) }
  return { guard, end: 'survived', detail: `${results.length} tests passed` }
}

export const isPassed = ({ results, crash }: TestRun): boolean =>
  crash === null && results.every((result) => result.isPassed)
