import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Place } from '../../upgrade/fleet.ts'
import { withOneMore } from '../../upgrade/programs.ts'
import { pause, type FaultRun, type WorldFault } from './fault.ts'
import { PROGRAM } from './world.ts'

const STEADY_MS = 1_000

/** T16: each process replaced by a program with one migration more, and back by the present one on the new schema. */
export const deployed: WorldFault = {
  name: 'migration and rolling restart, and back on the new schema; one process killed instead of stopped',
  needs: {},
  prepares: true,
  async inject(run) {
    const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-newer-'))
    const { webs, worker } = run.world
    const places = run.isShort ? webs.slice(0, 1) : [...webs, ...(worker ? [worker] : [])]
    try {
      const newer = (await withOneMore(folder)).folder
      run.begin()
      while (!run.signal.aborted) {
        for (const [to, program] of Object.entries({ newer, present: PROGRAM })) {
          const killed = run.random.pick(places)
          for (const place of places) await replace(run, place, { to, program, isKilled: place === killed })
          if (!run.isShort) await pause(run.signal, STEADY_MS)
        }
      }
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
}

type Replacing = { to: string; program: string; isKilled: boolean }

async function replace({ count }: FaultRun, place: Place, { to, program, isKilled }: Replacing) {
  if (isKilled) await place.kill()
  else await place.stop()
  await place.start(program)
  count(`${place.kind} ${isKilled ? 'killed' : 'stopped'}, ${to} program started`)
}
