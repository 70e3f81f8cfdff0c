import { lazy, Suspense, type ComponentType } from 'react'
import { useAnnouncement, type Announcement, type Live } from '#web/parts/outcomes/announce.ts'
import { loadChunk } from '#web/load-chunk.ts'

type Dialog = ComponentType<{ announcement: Announcement }>

const loadPlain = () => import('#web/shell/message-dialog.tsx').then((part): Dialog => part.MessageDialog)

/** When the code of a live dialog cannot be loaded, the plain dialog shows the same message. */
const dialog = (load: () => Promise<Dialog>) =>
  lazy(() =>
    loadChunk(load)
      .catch(() => loadChunk(loadPlain))
      .then((Loaded) => ({ default: Loaded })),
  )

const MessageDialog = dialog(loadPlain)

const liveDialogs: Record<Live['kind'], Dialog> = {
  purchase: dialog(() =>
    import('#web/features/deliveries/purchase-dialog.tsx').then((part) => part.PurchaseDialog),
  ),
}

/** Shows what was announced, one at a time. Its code is fetched with the first announcement. */
export function DialogHost() {
  const announcement = useAnnouncement()
  if (!announcement) return null
  const Shown = announcement.live ? liveDialogs[announcement.live.kind] : MessageDialog
  return (
    <Suspense fallback={null}>
      <Shown announcement={announcement} />
    </Suspense>
  )
}
