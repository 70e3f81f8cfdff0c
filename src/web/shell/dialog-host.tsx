import { useEffect, type ComponentType } from 'react'
import {
  dismissAnnouncement,
  showToast,
  useAnnouncement,
  type Announcement,
  type Live,
} from '#web/parts/outcomes/announce.ts'
import { lazyComponent } from '#web/load-chunk.tsx'

type DialogProps = { announcement: Announcement }
type Dialog = ComponentType<DialogProps>

const loadPlain = () => import('#web/shell/message-dialog.tsx').then((part): Dialog => part.MessageDialog)

/** When the code of a live dialog cannot be loaded, the plain dialog shows the same message, and without that a toast. */
const dialog = (load: () => Promise<Dialog>) =>
  lazyComponent<DialogProps>(() => load().catch(loadPlain), {
    renderFailed: ({ announcement }) => <AsToast announcement={announcement} />,
  })

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
  return <Shown announcement={announcement} />
}

function AsToast({ announcement }: DialogProps) {
  useEffect(() => {
    showToast(announcement.lines.join(' '))
    dismissAnnouncement()
  }, [announcement])
  return null
}
