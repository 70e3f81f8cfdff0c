import { useState } from 'react'
import { dataAddress, saveFile, pictureFile } from '#client/save-file.ts'
import { canSharePictures, sharePicture } from '#client/share-file.ts'
import { formatNumber } from '#contract/format.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'

/** The code to scan, on white in dark mode too: scanners need dark on light. Below it the ways to another application. */
export function QrPicture({ order }: { order: RechargeOrder }) {
  const [canShare] = useState(canSharePictures)
  const [held, setHeld] = useState<string | null>(null)
  const amount = formatNumber(order.amount)
  const withFile = (use: (file: File) => unknown, failed: string) => async () => {
    try {
      await use(await qrFile(order))
    } catch {
      showToast(failed)
    }
  }
  const save = withFile(async (file) => {
    const saving = await saveFile(file)
    if (saving === 'downloading') showToast(copy.qrDownloading)
    if (saving !== 'impossible') return
    // A finger held on it saves the whole picture, with the account and the memo.
    setHeld(await dataAddress(file))
    showToast(copy.holdQr)
  }, copy.saveQrFailed)
  const share = withFile((file) => sharePicture(file, copy.order(order.code)), copy.shareFailed)
  return (
    <div className="flex flex-col items-center gap-2.5">
      <img
        src={held ?? qrAddress(order)}
        width={320}
        height={320}
        alt={order.pay_url === undefined ? copy.qrAlt(amount, order.memo) : copy.momoQrAlt(amount)}
        className={`${held === null ? 'qr-picture' : 'w-full max-w-80'} rounded-xl border border-line bg-[#fff] ${order.pay_url ? 'has-app' : ''}`}
      />
      {order.pay_url === undefined && <Networks />}
      {order.pay_url !== undefined && (
        <a href={order.pay_url} rel="noreferrer" className={buttonClass('main', 'min-h-12 w-full')}>
          {copy.openMomo}
        </a>
      )}
      <div className="flex w-full gap-2.5">
        <Button
          kind={order.pay_url ? 'plain' : 'main'}
          className="min-h-12 flex-1"
          onClick={() => void save()}
        >
          <Icon name="download" />
          {copy.saveQr}
        </Button>
        {canShare && (
          <Button kind="plain" className="min-h-12 flex-1" onClick={() => void share()}>
            <Icon name="send" />
            {copy.share}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Which applications read the code: the names of its standard and of the network behind it, in plain letters. */
function Networks() {
  return (
    <p className="text-center text-sm leading-5 text-soft">
      <strong className="text-ink">
        Viet<span className="text-vermilion">QR</span>
      </strong>{' '}
      · <strong className="text-ink">napas 247</strong>
      <span className="block text-xs">{copy.scanWith}</span>
    </p>
  )
}

const SIZE_PX = 1024
const LINE_PX = 64
const TEXT_PX = 40
const MARGIN_PX = 48

const qrAddress = ({ qr_svg }: RechargeOrder) =>
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
async function qrFile(order: RechargeOrder): Promise<File> {
  const picture = new Image(SIZE_PX, SIZE_PX)
  picture.src = qrAddress(order)
  await picture.decode()
  const lines = linesOf(order)
  const canvas = document.createElement('canvas')
  canvas.width = SIZE_PX
  canvas.height = SIZE_PX + lines.length * LINE_PX + MARGIN_PX
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('This browser has no canvas')
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
