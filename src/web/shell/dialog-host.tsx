import { lazy, Suspense } from 'react'
import { useAnnouncement } from '#web/parts/outcomes/dialog-store.ts'
import { loadChunk } from '#web/load-chunk.ts'

const MessageDialog = lazy(() =>
  loadChunk(() => import('#web/shell/message-dialog.tsx')).then(({ MessageDialog }) => ({
    default: MessageDialog,
  })),
)

/** Shows what was announced, one at a time. Its code is fetched with the first announcement. */
export function DialogHost() {
  const announcement = useAnnouncement()
  if (!announcement) return null
  return (
    <Suspense fallback={null}>
      <MessageDialog announcement={announcement} />
    </Suspense>
  )
}
