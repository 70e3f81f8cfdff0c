import { saveFile } from '#client/save-file.ts'

const SIZE_PX = 1024
const LINE_PX = 64
const TEXT_PX = 40
const MARGIN_PX = 48

type Picture = {
  /** A square drawing. */
  address: string
  /** Written below it, so that the saved picture can be recognised later. */
  lines: readonly string[]
  fileName: string
}

/** Saves a drawing as PNG: banks' apps read a code from the phone's pictures, where an SVG does not appear. */
export async function saveAsPng({ address, lines, fileName }: Picture): Promise<void> {
  const picture = new Image(SIZE_PX, SIZE_PX)
  picture.src = address
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIZE_PX
  canvas.height = SIZE_PX + lines.length * LINE_PX + MARGIN_PX
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('This browser cannot draw')
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, canvas.width, canvas.height)
  drawing.imageSmoothingEnabled = false
  drawing.drawImage(picture, 0, 0, SIZE_PX, SIZE_PX)
  drawing.fillStyle = '#000'
  drawing.textAlign = 'center'
  drawing.font = `bold ${TEXT_PX}px ${getComputedStyle(document.body).fontFamily}`
  for (const [index, line] of lines.entries()) {
    const bottom = SIZE_PX + index * LINE_PX + TEXT_PX
    drawing.fillText(line, SIZE_PX / 2, bottom, SIZE_PX - 2 * MARGIN_PX)
  }

  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!file) throw new Error('The picture could not be written')
  saveFile(file, fileName)
}
