import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { type Draw, roundTime, SECRET_ALGORITHM, verifyDraw } from '#contract/draw-proof.ts'
import { drawSchema } from '#contract/tournaments.ts'
import {
  listClosedAt,
  readDraw,
  readRecordedDraw,
  type RecordedDraw,
  verifyRecorded,
} from '#server/modules/tournaments/index.ts'
import type { DatabaseCommand } from './backups.ts'
import { onPortal, UsageError } from './with-portal.ts'

/** A draw by a secret as it was published before there was a beacon. */
const secretDraw = z.object({
  commitment: z.string(),
  secret: z.nullable(z.string()),
  teams: z.array(
    z.object({ id: z.string(), name: z.nullable(z.string()), digest: z.string(), seed: z.nullable(z.int()) }),
  ),
  order: z.array(z.string()),
  algorithm: z.literal(SECRET_ALGORITHM),
})

async function readDrawFile(file: string): Promise<Draw> {
  const json: unknown = JSON.parse(await readFile(file, 'utf8'))
  const draw = drawSchema.safeParse(json)
  if (draw.success) return draw.data
  const old = secretDraw.safeParse(json)
  if (!old.success)
    throw new Error(`${file} is not what /api/tournaments/{id}/draw answers: ${z.prettifyError(draw.error)}`)
  const teams = old.data.teams.map((team) => ({ ...team, members: null, has_place: true }))
  return { ...old.data, teams, tournament_id: '0', closed_at: null, beacon: null, lineup: old.data.order }
}

/** A file alone says nothing about when it was published: `recorded` is what the audit trail says. */
function printDraw(
  draw: Draw,
  { print, recorded }: { print: (line: string) => void; recorded?: RecordedDraw },
): number {
  const faults = [
    ...verifyDraw(draw).map(({ text }) => text),
    ...(recorded === undefined ? [] : verifyRecorded(draw, recorded)),
  ]
  for (const fault of faults) print(`wrong: ${fault}`)
  if (faults.length > 0) return 1
  for (const line of draw.algorithm === SECRET_ALGORITHM ? secretText(draw) : beaconText(draw)) print(line)
  if (recorded) print(recordedText(draw, recorded))
  return 0
}

const secretText = ({ order }: Draw): string[] => [
  `the draw of ${order.length} teams follows from its secret and its list`,
  'who could read the database knew the secret before: this shows that it was not changed, not that nobody used it',
]

function beaconText({ order, lineup, teams, beacon }: Draw): string[] {
  if (beacon === null) return []
  const { chain, round } = beacon
  const unseen = teams.filter(({ name }) => name === null).length
  const moved = lineup.filter((id, place) => id !== order[place]).length
  return [
    `the order of ${order.length} teams follows from the closed list and round ${round} of ${
      chain.name === 'demo'
        ? "the demo's own beacon, which proves nothing"
        : `drand ${chain.name}, signed by it`
    }`,
    `the round came at ${roundTime(chain, round).toISOString()}; whoever has seen the digest of the list before knows that the list was there first`,
    ...(moved > 0 ? [`${moved} places: their team left after the close, others stayed where they were`] : []),
    ...(unseen > 0 ? [`${unseen} teams: names were erased, and only their digests are left`] : []),
  ]
}

function recordedText({ algorithm }: Draw, { created, frozen, drawn, closedAt }: RecordedDraw): string {
  if (algorithm !== SECRET_ALGORITHM)
    return `the list was recorded at ${frozen?.at.toISOString()} (rows ${frozen?.seq} and ${drawn?.seq} of the audit trail)`
  const closed = listClosedAt({ drawn, closedAt })?.toISOString()
  return (
    `the secret was promised at ${created?.at.toISOString()}, before the list was closed at ${closed} ` +
    `(rows ${created?.seq} and ${drawn?.seq} of the audit trail)`
  )
}

export const tournamentCommands: Record<string, DatabaseCommand> = {
  'tournament verify': {
    args: '<id or file>',
    does: 'draws again from what is published of a draw, without network, and with an id compares it with the audit trail; a file needs no database. Exit code 1 when it differs',
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
