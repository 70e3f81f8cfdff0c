const SIZE_PX = 1024

/** Saves a square drawing as PNG: banks' apps read a code from the phone's pictures, where an SVG does not appear. */
export async function saveAsPng(address: string, fileName: string): Promise<void> {
  const picture = new Image(SIZE_PX, SIZE_PX)
  picture.src = address
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SIZE_PX
  canvas.height = SIZE_PX
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('This browser cannot draw')
  drawing.fillStyle = '#fff'
  drawing.fillRect(0, 0, SIZE_PX, SIZE_PX)
  drawing.imageSmoothingEnabled = false
  drawing.drawImage(picture, 0, 0, SIZE_PX, SIZE_PX)

  const file = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!file) throw new Error('The picture could not be written')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
