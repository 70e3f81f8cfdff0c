import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { readDraw, verifyDraw, type PublishedDraw } from '#server/modules/tournaments/index.ts'
import type { DatabaseCommand } from './backups.ts'
import { onPortal, UsageError } from './with-portal.ts'

/** As `GET /api/tournaments/{id}/draw` answers it. */
const publishedDraw = z.object({
  commitment: z.string(),
  secret: z.nullable(z.string()),
  teams: z.array(
    z.object({ id: z.string(), name: z.nullable(z.string()), digest: z.string(), seed: z.nullable(z.int()) }),
  ),
  order: z.array(z.string()),
  algorithm: z.string(),
})

async function readDrawFile(file: string): Promise<PublishedDraw> {
  const draw = publishedDraw.safeParse(JSON.parse(await readFile(file, 'utf8')))
  if (!draw.success)
    throw new Error(`${file} is not what /api/tournaments/{id}/draw answers: ${z.prettifyError(draw.error)}`)
  return draw.data
}

function printDraw(draw: PublishedDraw, print: (line: string) => void): number {
  const faults = verifyDraw(draw)
  for (const fault of faults) print(`wrong: ${fault}`)
  if (faults.length === 0)
    print(`the draw of ${draw.order.length} teams follows from its secret and its list`)
  return faults.length === 0 ? 0 : 1
}

export const tournamentCommands: Record<string, DatabaseCommand> = {
  'tournament verify': {
    args: '<id or file>',
    does: 'draws again from what is published of a draw; a file needs no database. Exit code 1 when it differs',
    async runAsItIs({ config, log, rest: [what], print }) {
      if (!what) throw new UsageError()
      if (!/^\d+$/.test(what)) return printDraw(await readDrawFile(what), print)
      return onPortal(config, log, async ({ db, clock }) =>
        printDraw(await readDraw(db, what, clock.now()), print),
      )
    },
  },
}
