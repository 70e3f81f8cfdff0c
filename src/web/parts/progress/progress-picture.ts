import { pictureFile } from '#client/save-file.ts'
import {
  INK,
  loadedPicture,
  openCanvas,
  SOFT,
  VERMILION,
  write,
  type Written,
} from '#web/parts/share/picture-canvas.ts'

const SIZE_PX = 1080
const MIDDLE_PX = SIZE_PX / 2
const PORTRAIT_PX = 320
const WIDEST_PX = 920

export type ProgressPicture = {
  /** The address of the portrait. */
  portrait: string
  name: string
  figure: string
  stamp: string
  siteName: string
  fileName: string
}

/** A square picture of what a player has got, with nothing about the account in it. */
export async function renderPicture(progress: ProgressPicture): Promise<File> {
  const portrait = await loadedPicture(progress.portrait)
  const { canvas, drawing } = openCanvas(SIZE_PX, SIZE_PX)
  drawStroke(drawing)
  drawing.imageSmoothingEnabled = false
  drawing.drawImage(portrait, MIDDLE_PX - PORTRAIT_PX / 2, 150, PORTRAIT_PX, PORTRAIT_PX)
  writeCentred(drawing, progress.name, { y: 570, size: 64, colour: INK })
  writeCentred(drawing, progress.figure, { y: 700, size: 96, colour: VERMILION })
  writeCentred(drawing, progress.siteName, { y: 960, size: 44, colour: SOFT })
  drawStamp(drawing, progress.stamp)
  return pictureFile(canvas, progress.fileName)
}

/** Of the brush, below the figure. */
function drawStroke(drawing: CanvasRenderingContext2D): void {
  drawing.fillStyle = VERMILION
  drawing.beginPath()
  drawing.moveTo(240, 770)
  drawing.bezierCurveTo(420, 740, 680, 745, 850, 758)
  drawing.bezierCurveTo(690, 762, 430, 766, 240, 770)
  drawing.fill()
}

function drawStamp(drawing: CanvasRenderingContext2D, text: string): void {
  drawing.save()
  drawing.translate(830, 200)
  drawing.rotate(0.21)
  drawing.strokeStyle = VERMILION
  drawing.lineWidth = 8
  drawing.strokeRect(-150, -55, 300, 110)
  writeCentred(drawing, text, { y: 18, size: 52, colour: VERMILION, x: 0, widest: 270 })
  drawing.restore()
}

type Centred = Pick<Written, 'y' | 'size' | 'colour'> & Partial<Written>

const writeCentred = (drawing: CanvasRenderingContext2D, text: string, written: Centred) =>
  write(drawing, text, { x: MIDDLE_PX, widest: WIDEST_PX, align: 'center', ...written })
