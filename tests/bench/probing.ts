import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Probed } from './prober.ts'

/** What visitors and one player feel while something else is going on. */
export async function probe(
  { url, token }: { url: string; token: string },
  meanwhile: () => Promise<void>,
): Promise<Probed> {
  const prober = fork(new URL('./prober.ts', import.meta.url), [url, token], { execArgv: [] })
  const broken = once(prober, 'exit').then(([code]) => {
    throw new Error(`the prober ended with ${code} before it told anything`)
  })
  const told = () => Promise.race([once(prober, 'message'), broken]) as Promise<[Probed]>
  await told()
  await meanwhile()
  const answered = told()
  prober.send('enough')
  const [probed] = await answered
  return probed
}
