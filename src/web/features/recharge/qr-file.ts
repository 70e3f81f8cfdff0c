import { pictureFile } from '#client/save-file.ts'
import { formatNumber } from '#contract/format.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'

const SIZE_PX = 1024
const LINE_PX = 64
const TEXT_PX = 40
const MARGIN_PX = 48

export const qrAddress = ({ qr_svg }: RechargeOrder) =>
  `data:image/svg+xml;charset=utf-8,${encodeURIComponent(qr_svg)}`

/** Written below the code, so that the saved picture can be recognised later. */
function linesOf({
  pay_url,
  bank_name,
  account_number,
  account_name,
  amount,
  memo,
}: RechargeOrder): string[] {
  const isAtMomo = pay_url !== undefined
  return [
    isAtMomo ? bank_name : `${bank_name} · ${account_number}`,
    account_name,
    `${formatNumber(amount)} VND`,
    `${isAtMomo ? copy.code : copy.memo}: ${memo}`,
  ]
}

/** The code as PNG: banks' apps read it from the phone's pictures, where an SVG does not appear. */
export async function qrFile(order: RechargeOrder): Promise<File> {
  const picture = new Image(SIZE_PX, SIZE_PX)
  picture.src = qrAddress(order)
  await picture.decode()
  const lines = linesOf(order)
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
  return pictureFile(canvas, `nap-tcoin-${order.code}.png`)
}
