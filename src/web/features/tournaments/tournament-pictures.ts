import { pictureFile } from '#client/save-file.ts'
import type { Match } from '#contract/tournaments.ts'
import { INK, loadedPicture, openCanvas, SOFT, VERMILION, write } from '#web/parts/share/picture-canvas.ts'
import { artOf } from '#web/features/tournaments/tournament-facts.tsx'
import { championOf, matchState, sidesOf, type Round } from '#web/features/tournaments/bracket.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'

const EDGE_PX = 90
const WIDTH_PX = 1_600
/** More matches than these, one below the other, cannot be read from a picture. */
const COLUMN_MAX = 8
const BOX_PX = { width: 320, height: 88 }
const ROW_PX = 120
const HEAD_PX = 260
const FOOT_PX = 130
/** So that the match for the third place has room below the final. */
const ROWS_WITH_THIRD = 3

type Named = { tournament: string; siteName: string }

/** The rounds that have room in a picture, from the first of them to the final. */
export const roundsInPicture = (rounds: readonly Round[]) =>
  rounds.filter(({ isForLosers, matches }) => !isForLosers && matches.length <= COLUMN_MAX)

/** The end of a bracket, as far as it is played. */
export async function renderBracket(
  rounds: readonly Round[],
  { tournament, siteName }: Named,
): Promise<File> {
  const shown = roundsInPicture(rounds)
  const third = thirdPlaceOf(rounds)
  const rows = Math.max(...shown.map(({ matches }) => matches.length), third ? ROWS_WITH_THIRD : 1)
  const height = HEAD_PX + rows * ROW_PX + FOOT_PX
  const { canvas, drawing } = openCanvas(WIDTH_PX, height)
  const widest = WIDTH_PX - 2 * EDGE_PX
  write(drawing, tournament, { x: EDGE_PX, y: 130, size: 56, colour: INK, widest })
  const champion = championOf(rounds)?.name
  if (champion) {
    const text = `${copy.winner}: ${champion}`
    write(drawing, text, { x: EDGE_PX, y: 195, size: 40, colour: VERMILION, widest })
  }
  const step = shown.length > 1 ? (widest - BOX_PX.width) / (shown.length - 1) : 0
  for (const [column, round] of shown.entries()) {
    const left = EDGE_PX + column * step
    write(drawing, round.name, { x: left, y: HEAD_PX - 10, size: 28, colour: SOFT, widest: BOX_PX.width })
    const room = (rows * ROW_PX) / round.matches.length
    for (const [index, match] of round.matches.entries()) {
      const middle = HEAD_PX + (index + 0.5) * room
      drawMatch(drawing, match, { left, top: middle - BOX_PX.height / 2 })
      if (column < shown.length - 1)
        drawWay(drawing, {
          from: left + BOX_PX.width,
          to: left + step,
          middle,
          turn: index % 2 === 0 ? room / 2 : -room / 2,
        })
    }
  }
  if (third) drawThird(drawing, third, height - FOOT_PX)
  write(drawing, siteName, { x: EDGE_PX, y: height - 75, size: 36, colour: SOFT, widest })
  return pictureFile(canvas, copy.bracketFile)
}

function drawMatch(
  drawing: CanvasRenderingContext2D,
  match: Match,
  { left, top }: { left: number; top: number },
): void {
  const { width, height } = BOX_PX
  drawing.fillStyle = '#ffffff'
  drawing.strokeStyle = INK
  drawing.lineWidth = 2
  drawing.fillRect(left, top, width, height)
  drawing.strokeRect(left, top, width, height)
  drawing.strokeRect(left, top, width, height / 2)
  const isStarted = matchState(match) === 'decided' || matchState(match) === 'running'
  for (const [index, { name, wins, isWinner }] of sidesOf(match).entries()) {
    const y = top + 32 + (index * height) / 2
    const weight = isWinner ? 'bold' : 'normal'
    const colour = isWinner ? VERMILION : name === null ? SOFT : INK
    write(drawing, name ?? '…', { x: left + 14, y, size: 26, colour, weight, widest: width - 70 })
    if (isStarted && name !== null)
      write(drawing, String(wins), {
        x: left + width - 14,
        y,
        size: 26,
        colour,
        weight,
        align: 'right',
        widest: 40,
      })
  }
}

type Way = { from: number; to: number; middle: number; turn: number }

/** From a match to the one that its winner plays next. */
function drawWay(drawing: CanvasRenderingContext2D, { from, to, middle, turn }: Way): void {
  const corner = (from + to) / 2
  drawing.beginPath()
  drawing.moveTo(from, middle)
  drawing.lineTo(corner, middle)
  drawing.lineTo(corner, middle + turn)
  drawing.lineTo(to, middle + turn)
  drawing.strokeStyle = SOFT
  drawing.lineWidth = 2
  drawing.stroke()
}

type Third = { name: string; match: Match }

function thirdPlaceOf(rounds: readonly Round[]): Third | null {
  const round = rounds.find(({ isForLosers }) => isForLosers)
  const match = round?.matches[0]
  return round && match ? { name: round.name, match } : null
}

/** Below the final. */
function drawThird(drawing: CanvasRenderingContext2D, { name, match }: Third, bottom: number): void {
  const left = WIDTH_PX - EDGE_PX - BOX_PX.width
  const top = bottom - BOX_PX.height
  write(drawing, name, { x: left, y: top - 12, size: 28, colour: SOFT, widest: BOX_PX.width })
  drawMatch(drawing, match, { left, top })
}

const SIZE_PX = 1_080
const MIDDLE_PX = SIZE_PX / 2
const ART_PX = { width: 920, height: 368 }

export type TeamResult = { team: string; result: string; tournament: string; type: number }

/** What a team has reached. */
export async function renderResult(
  { team, result, tournament, type }: TeamResult,
  siteName: string,
): Promise<File> {
  const art = await loadedPicture(artOf(type))
  const { canvas, drawing } = openCanvas(SIZE_PX, SIZE_PX)
  const left = (SIZE_PX - ART_PX.width) / 2
  drawing.fillStyle = INK
  drawing.fillRect(left, 80, ART_PX.width, ART_PX.height)
  drawing.drawImage(art, left, 80, ART_PX.width, ART_PX.height)
  const line = { x: MIDDLE_PX, widest: ART_PX.width, align: 'center' } as const
  write(drawing, team, { ...line, y: 560, size: 64, colour: INK })
  write(drawing, result, { ...line, y: 690, size: 88, colour: VERMILION })
  write(drawing, tournament, { ...line, y: 800, size: 44, colour: INK, weight: 'normal' })
  write(drawing, siteName, { ...line, y: 960, size: 44, colour: SOFT })
  return pictureFile(canvas, copy.resultFile)
}
