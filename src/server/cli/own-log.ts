import { countMovements } from '#server/modules/wallet/index.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { LOG_KINDS, type Logged } from './log-kinds.ts'
import { entriesIn, linesOf } from './log-lines.ts'

type Print = (line: string) => void
type Deps = { db: Db; game: GameBridge }
type Given = { files: readonly string[]; since: Date }

const ASKED_AT_ONCE = 1_000

/**
 * Holds what the portal logged after its commits since then against the database, and prints what is not there: a failover
 * that lost some leaves books without a fault, and only what was written elsewhere shows it. Answers the exit code.
 */
export async function printLost(deps: Deps, { files, since }: Given, print: Print): Promise<number> {
  const seen: Seen = {
    lost: 0,
    compared: 0,
    cut: 0,
    older: 0,
    empty: 0,
    movements: new Set(),
    from: null,
    to: null,
  }
  for (const file of files) {
    const before = seen.compared + seen.cut + seen.older
    let lines = 0
    let logged: Logged[] = []
    for await (const line of linesOf(file, 'the portal’s own log lines')) {
      for (const entry of entriesIn(line)) {
        lines++
        const read = readEntry(entry, since)
        if (read === null) continue
        if ('event' in read) logged.push(read)
        else if ('cut' in read) {
          seen.cut++
          print(`not readable: ${read.cut}`)
        } else {
          seen.older++
          print(`not comparable: ${read.older}`)
        }
      }
      if (logged.length < ASKED_AT_ONCE) continue
      await compare(deps, logged, seen, print)
      logged = []
    }
    await compare(deps, logged, seen, print)
    if (lines === 0) seen.empty++
    print(
      `${file}: ${lines} lines of the portal, ${seen.compared + seen.cut + seen.older - before} to compare since then`,
    )
  }
  return printSeen(deps.db, seen, { since }, print)
}

type Seen = {
  lost: number
  compared: number
  cut: number
  /** Lines of a version of the program that did not write down what is compared. */
  older: number
  /** Files without a line of the portal. */
  empty: number
  /** The movements of the log that the database has. */
  movements: Set<unknown>
  from: string | null
  to: string | null
}

const NAMED_MAX = 300

/** A change that is compared; or the text of what may be one and cannot be read, or of one that is read and has not what is compared. */
function readEntry(
  entry: ReturnType<typeof entriesIn>[number],
  since: Date,
): Logged | { cut: string } | { older: string } | null {
  if ('cut' in entry) {
    const time = /"time":"([^"]+)"/.exec(entry.cut)?.[1]
    return isBefore(time, since) ? null : { cut: entry.cut.slice(0, NAMED_MAX) }
  }
  const { event, time } = entry.whole
  const kind = typeof event === 'string' && Object.hasOwn(LOG_KINDS, event) ? LOG_KINDS[event] : undefined
  if (kind === undefined || isBefore(time, since)) return null
  return kind.read(entry.whole) ?? { older: JSON.stringify(entry.whole).slice(0, NAMED_MAX) }
}

const isBefore = (time: unknown, since: Date) => typeof time === 'string' && new Date(time) < since

async function compare(deps: Deps, logged: readonly Logged[], seen: Seen, print: Print): Promise<void> {
  for (const [event, lines] of Map.groupBy(logged, (line) => line.event)) {
    const kind = LOG_KINDS[event]
    if (kind === undefined) continue
    const lost = new Set(await kind.lostOf(deps.db, lines))
    for (const line of lines) {
      seen.compared++
      if (seen.from === null || line.time < seen.from) seen.from = line.time
      if (seen.to === null || line.time > seen.to) seen.to = line.time
      if (!lost.has(line)) {
        if ('transferId' in line) seen.movements.add(line.transferId)
        continue
      }
      seen.lost++
      const { time, requestId } = line
      const game = await gameAbout(deps.game, kind.delivery(line))
      print([time, kind.name(line), requestId && `request ${requestId}`, game].filter(Boolean).join('  '))
    }
  }
}

/** Whether the goods of something lost are in the game. */
async function gameAbout(game: GameBridge, delivery: string | null): Promise<string | null> {
  if (delivery === null) return null
  try {
    return `game: ${await game.deliveryStatus(delivery)}`
  } catch {
    return 'game: no answer'
  }
}

async function printSeen(db: Db, seen: Seen, { since }: Pick<Given, 'since'>, print: Print): Promise<number> {
  const { from, to, lost, compared, cut, older, empty, movements } = seen
  if (from !== null && to !== null) {
    // The log has whole milliseconds, the database parts of them.
    const stored = await countMovements(db, { from: since, to: new Date(Date.parse(to) + 1) })
    print(
      `compared from ${from} to ${to}; ${movements.size} of the ${stored} movements of that time are in the log`,
    )
  }
  if (empty > 0) print(`${empty} files have no line of the portal`)
  if (cut > 0) print(`${cut} lines cannot be read: see by their ids what became of them`)
  if (older > 0)
    print(
      `${older} lines are whole, but of another version of the program and without what is compared: see by their ids what became of them`,
    )
  print(`${lost} of ${compared} changes in the log are not in the database`)
  // A log without a line proves nothing.
  return lost + cut + older + empty === 0 && compared > 0 ? 0 : 1
}
