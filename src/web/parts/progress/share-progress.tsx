import { saveFile } from '#client/save-file.ts'
import { canSharePictures, sharePicture } from '#client/share-file.ts'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { loadChunk } from '#web/load-chunk.ts'
import type { ProgressPicture } from '#web/parts/progress/progress-picture.ts'
import { progressCopy as copy } from '#web/parts/progress/progress.ts'
import { showToast } from '#web/parts/outcomes/announce.ts'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

type Props = { picture: Omit<ProgressPicture, 'siteName' | 'fileName'>; className?: string }

/** Renders a picture of the moment and shares it with another application, or saves it where the browser cannot share. */
export function ShareProgress({ picture, className }: Props) {
  const siteName = siteNameOf(useSettings())
  async function share() {
    try {
      const { renderPicture } = await loadChunk(() => import('#web/parts/progress/progress-picture.ts'))
      const file = await renderPicture({ ...picture, siteName, fileName: copy.fileName })
      if (canSharePictures()) await sharePicture(file, siteName)
      else saveFile(file, file.name)
    } catch {
      showToast(copy.shareFailed)
    }
  }
  return (
    <Button kind="plain" className={className} onClick={() => void share()}>
      <Icon name="send" />
      {copy.share}
    </Button>
  )
}
