import { dataAddress, saveFile } from '#client/save-file.ts'
import { useState } from 'react'
import { canSharePictures, sharePicture } from '#client/share-file.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { tellSaving } from '#web/parts/share/tell-saving.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

const copy = {
  share: 'Chia sẻ ảnh',
  hold: 'Nhấn giữ vào ảnh rồi chọn lưu ảnh.',
  failed: 'Không tạo được ảnh, bạn có thể chụp màn hình',
} as const

type Props = {
  render: (siteName: string) => Promise<File>
  label?: string
  className?: string | undefined
}

/** Renders a picture and shares it with another application, or saves it where the browser cannot share. */
export function SharePicture({ render, label = copy.share, className }: Props) {
  const siteName = siteNameOf(useSettings())
  /** The picture itself, where nothing but a finger held on it saves it. */
  const [held, setHeld] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function share() {
    setBusy(true)
    try {
      const file = await render(siteName)
      if (canSharePictures()) await sharePicture(file, siteName)
      else await save(file)
    } catch {
      showToast(copy.failed)
    } finally {
      setBusy(false)
    }
  }
  async function save(file: File) {
    const saving = await saveFile(file)
    if (saving === 'impossible') setHeld(await dataAddress(file))
    else tellSaving(saving)
  }
  return (
    <>
      <Button kind="plain" className={className} isBusy={isBusy} onClick={() => void share()}>
        <Icon name="send" />
        {label}
      </Button>
      {held !== null && (
        <figure className="w-full basis-full">
          <img src={held} alt={label} className="w-full rounded-xl border border-line" />
          <figcaption role="status" className="mt-1 text-sm text-soft">
            {copy.hold}
          </figcaption>
        </figure>
      )}
    </>
  )
}
