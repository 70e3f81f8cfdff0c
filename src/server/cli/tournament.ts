import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import {
  listClosedAt,
  readDraw,
  readRecordedDraw,
  verifyDraw,
  verifyPromise,
  type PublishedDraw,
  type RecordedDraw,
} from '#server/modules/tournaments/index.ts'
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

/** A file alone says nothing about when the secret was made: `recorded` is what the audit trail says. */
function printDraw(
  draw: PublishedDraw,
  { print, recorded }: { print: (line: string) => void; recorded?: RecordedDraw },
): number {
  const faults = [...verifyDraw(draw), ...(recorded === undefined ? [] : verifyPromise(draw, recorded))]
  for (const fault of faults) print(`wrong: ${fault}`)
  if (faults.length > 0) return 1
  print(`the draw of ${draw.order.length} teams follows from its secret and its list`)
  if (recorded) print(promiseText(recorded))
  return 0
}

function promiseText({ created, drawn, closedAt }: RecordedDraw): string {
  const closed = listClosedAt({ drawn, closedAt })?.toISOString()
  return (
    `the secret was promised at ${created?.at.toISOString()}, before the list was closed at ${closed} ` +
    `(rows ${created?.seq} and ${drawn?.seq} of the audit trail)`
  )
}

export const tournamentCommands: Record<string, DatabaseCommand> = {
  'tournament verify': {
    args: '<id or file>',
    does: 'draws again from what is published of a draw, and with an id compares it with the audit trail; a file needs no database. Exit code 1 when it differs',
    async runAsItIs({ config, log, rest: [what], print }) {
      if (!what) throw new UsageError()
      if (!/^\d+$/.test(what)) return printDraw(await readDrawFile(what), { print })
      return onPortal(config, log, async ({ db, clock }) =>
        printDraw(await readDraw(db, what, clock.now()), {
          print,
          recorded: await readRecordedDraw(db, what),
        }),
      )
    },
  },
}
