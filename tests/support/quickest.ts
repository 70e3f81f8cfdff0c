/** The shortest of several runs, in milliseconds: what else goes on on the machine only ever adds. */
export async function quickest(work: () => unknown, { runs = 4 } = {}): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    await work()
    shortest = Math.min(shortest, performance.now() - started)
  }
  return shortest
}
