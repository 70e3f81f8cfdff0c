import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import type { InstallOffer } from '#web/parts/install/install-offer.ts'
import { dismissInstall } from '#web/parts/install/install.ts'

const copy = {
  text: 'Đưa cổng ra màn hình chính, lần sau mở chỉ một chạm.',
  onIos: 'Trên iPhone: bấm nút Chia sẻ của Safari rồi chọn “Thêm vào MH chính”.',
  install: 'Cài đặt',
  later: 'Để sau',
} as const

export type InstallHintProps = { offer: InstallOffer }

/** A row of the menu for those who come again. */
export function InstallHint({ offer }: InstallHintProps) {
  return (
    <div className="mb-1 flex items-center gap-2 rounded-lg bg-sunken pl-3">
      <p className="min-w-0 flex-1 py-2 text-sm leading-snug">{offer === 'ios' ? copy.onIos : copy.text}</p>
      {offer !== 'ios' && (
        <Button kind="text" className="px-3" onClick={() => void install(offer)}>
          {copy.install}
        </Button>
      )}
      <button
        type="button"
        className="grid size-11 shrink-0 place-items-center rounded-lg text-soft hover:text-ink"
        onClick={dismissInstall}
      >
        <Icon name="close" />
        <span className="sr-only">{copy.later}</span>
      </button>
    </div>
  )
}

/** Whatever the player answers, it is not offered again soon. */
async function install(offer: Exclude<InstallOffer, 'ios'>): Promise<void> {
  try {
    await offer.prompt()
  } finally {
    dismissInstall()
  }
}
