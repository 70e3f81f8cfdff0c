import { pictureFile } from '#client/save-file.ts'

const SIZE_PX = 1080
const MIDDLE_PX = SIZE_PX / 2
const PORTRAIT_PX = 320
const WIDEST_PX = 920

/** The colours of the light site: a picture looks the same to everybody who gets it. */
const PAPER = '#fbf7f0'
const INK = '#1f1a17'
const SOFT = '#5c5149'
const VERMILION = '#bf3319'

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
  const portrait = new Image()
  portrait.src = progress.portrait
  await portrait.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIZE_PX
  canvas.height = SIZE_PX
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('This browser has no canvas')
  drawGround(drawing)
  drawing.imageSmoothingEnabled = false
  drawing.drawImage(portrait, MIDDLE_PX - PORTRAIT_PX / 2, 150, PORTRAIT_PX, PORTRAIT_PX)
  drawing.textAlign = 'center'
  write(drawing, progress.name, { y: 570, size: 64, colour: INK })
  write(drawing, progress.figure, { y: 700, size: 96, colour: VERMILION })
  write(drawing, progress.siteName, { y: 960, size: 44, colour: SOFT })
  drawStamp(drawing, progress.stamp)
  return pictureFile(canvas, progress.fileName)
}

/** Paper in a frame, and a stroke of the brush below the figure. */
function drawGround(drawing: CanvasRenderingContext2D): void {
  drawing.fillStyle = PAPER
  drawing.fillRect(0, 0, SIZE_PX, SIZE_PX)
  drawing.strokeStyle = INK
  drawing.lineWidth = 10
  drawing.strokeRect(40, 40, SIZE_PX - 80, SIZE_PX - 80)
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
  write(drawing, text, { y: 18, size: 52, colour: VERMILION, x: 0, widest: 270 })
  drawing.restore()
}

type Written = { y: number; size: number; colour: string; x?: number; widest?: number }

function write(
  drawing: CanvasRenderingContext2D,
  text: string,
  { y, size, colour, x = MIDDLE_PX, widest = WIDEST_PX }: Written,
): void {
  drawing.fillStyle = colour
  drawing.font = `bold ${size}px ${getComputedStyle(document.body).fontFamily}`
  drawing.fillText(text, x, y, widest)
}
