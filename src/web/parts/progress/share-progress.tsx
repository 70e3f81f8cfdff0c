import { loadChunk } from '#web/load-chunk.tsx'
import type { ProgressPicture } from '#web/parts/progress/progress-picture.ts'
import { progressCopy as copy } from '#web/parts/progress/progress.ts'
import { SharePicture } from '#web/parts/share/share-picture-button.tsx'

type Props = { picture: Omit<ProgressPicture, 'siteName' | 'fileName'>; className?: string }

/** Shares a picture of the moment. */
export const ShareProgress = ({ picture, className }: Props) => (
  <SharePicture
    className={className}
    render={async (siteName) => {
      const { renderPicture } = await loadChunk(() => import('#web/parts/progress/progress-picture.ts'))
      return renderPicture({ ...picture, siteName, fileName: copy.fileName })
    }}
  />
)
