import { formatNumber } from '#contract/format-number.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { saveAsPng } from '#web/features/recharge/save-as-png.ts'
import { showToast } from '#web/parts/outcomes/toast-store.ts'

/** The code to scan, on white in dark mode too: scanners need dark on light. */
export function QrPicture({ order }: { order: RechargeOrder }) {
  const isAtMomo = order.pay_url !== undefined
  const amount = formatNumber(order.amount)
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(order.qr_svg)}`

  async function save() {
    try {
      await saveAsPng({
        address,
        lines: [
          isAtMomo ? order.bank_name : `${order.bank_name} · ${order.account_number}`,
          order.account_name,
          `${amount} VND`,
          `${isAtMomo ? copy.code : copy.memo}: ${order.memo}`,
        ],
        fileName: `nap-tcoin-${order.code}.png`,
      })
    } catch {
      showToast(copy.saveQrFailed)
    }
  }

  return (
    <div className="mx-auto flex max-w-80 flex-col items-center gap-3">
      <img
        src={address}
        width={320}
        height={320}
        alt={isAtMomo ? copy.momoQrAlt(amount) : copy.qrAlt(amount, order.memo)}
        className="aspect-square h-auto w-full rounded-xl border border-line bg-[#fff]"
      />
      <Button kind="plain" onClick={() => void save()}>
        <Icon name="download" />
        {copy.saveQr}
      </Button>
    </div>
  )
}
