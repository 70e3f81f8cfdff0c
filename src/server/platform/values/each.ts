import { messageOf } from './errors.ts'

/** Does each, also behind those that fail; throws at the end, naming those. */
export async function doEach<One>(
  all: readonly One[],
  nameOf: (one: One) => string,
  work: (one: One) => Promise<unknown>,
): Promise<void> {
  const failures: { name: string; error: unknown }[] = []
  for (const one of all) {
    try {
      await work(one)
    } catch (error) {
      failures.push({ name: nameOf(one), error })
    }
  }
  if (failures.length === 0) return
  throw new AggregateError(
    failures.map(({ error }) => error),
    failures.map(({ name, error }) => `${name}: ${messageOf(error)}`).join('; '),
  )
}
