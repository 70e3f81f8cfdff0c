import { saveFile } from '#client/save-file.ts'
import { canSharePictures, sharePicture } from '#client/share-file.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

const copy = {
  share: 'Chia sẻ ảnh',
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
  async function share() {
    try {
      const file = await render(siteName)
      if (canSharePictures()) await sharePicture(file, siteName)
      else saveFile(file, file.name)
    } catch {
      showToast(copy.failed)
    }
  }
  return (
    <Button kind="plain" className={className} onClick={() => void share()}>
      <Icon name="send" />
      {label}
    </Button>
  )
}
