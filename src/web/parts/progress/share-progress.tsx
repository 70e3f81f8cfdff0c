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

/** Draws a picture of the moment and hands it to another application, or saves it where there is no such way. */
export function ShareProgress({ picture, className }: Props) {
  const siteName = siteNameOf(useSettings())
  async function share() {
    try {
      const { drawProgress } = await loadChunk(() => import('#web/parts/progress/progress-picture.ts'))
      const file = await drawProgress({ ...picture, siteName, fileName: copy.fileName })
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
