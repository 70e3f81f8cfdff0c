import { fork } from 'node:child_process'
import { nextMessage } from '../harness/fleet.ts'
import type { Probed } from './prober.ts'

/** What visitors and one player feel while something else is going on. */
export async function probe(
  { url, token }: { url: string; token: string },
  meanwhile: () => Promise<void>,
): Promise<Probed> {
  const prober = fork(new URL('./prober.ts', import.meta.url), [url, token], { execArgv: [] })
  await nextMessage(prober)
  await meanwhile()
  const probed = nextMessage<Probed>(prober)
  prober.send('enough')
  return await probed
}
