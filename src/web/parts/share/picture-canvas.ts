/** The colours of the light site: a picture looks the same to everybody who gets it. */
const PAPER = '#fbf7f0'
export const INK = '#1f1a17'
export const SOFT = '#5c5149'
export const VERMILION = '#bf3319'

/** An empty picture: paper in a frame. */
export function openCanvas(width: number, height: number) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('This browser has no canvas')
  drawing.fillStyle = PAPER
  drawing.fillRect(0, 0, width, height)
  drawing.strokeStyle = INK
  drawing.lineWidth = 10
  drawing.strokeRect(40, 40, width - 80, height - 80)
  return { canvas, drawing }
}

/** What lies at this address, ready to be drawn. */
export async function loadedPicture(address: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = address
  await picture.decode()
  return picture
}

export type Written = {
  x: number
  y: number
  size: number
  colour: string
  /** Longer text is set narrower. */
  widest: number
  align?: 'left' | 'center' | 'right'
  weight?: 'normal' | 'bold'
}

/** One line of text, `y` being the line that its letters stand on. */
export function write(
  drawing: CanvasRenderingContext2D,
  text: string,
  { x, y, size, colour, widest, align = 'left', weight = 'bold' }: Written,
): void {
  drawing.textAlign = align
  drawing.fillStyle = colour
  drawing.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`
  drawing.fillText(text, x, y, widest)
}
