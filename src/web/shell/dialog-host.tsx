import { useEffect, type ComponentType } from 'react'
import { Dialog } from '#ui/dialog.tsx'
import { lazyContent } from '#web/parts/fallbacks/lazy-content.tsx'
import {
  DIALOG_TITLES,
  dismissAnnouncement,
  showToast,
  useAnnouncement,
  type Announcement,
  type Live,
} from '#web/parts/outcomes/announce.ts'

type Props = { announcement: Announcement }
type Content = ComponentType<Props>

const loadPlain = () => import('#web/shell/message.tsx').then((part): Content => part.Message)

/** When the code of a live message cannot be loaded, the plain one says the same, and without that a toast. */
const content = (load: () => Promise<Content>, height: number) =>
  lazyContent<Props>(() => load().catch(loadPlain), {
    height,
    renderFailed: ({ announcement }) => <AsToast announcement={announcement} />,
  })

const Message = content(loadPlain, 9)

const liveMessages: Record<Live['kind'], Content> = {
  purchase: content(
    () => import('#web/features/deliveries/purchase-message.tsx').then((part) => part.PurchaseMessage),
    28,
  ),
}

/** Shows what was announced, one at a time. The code of the first one is fetched when it is there. */
export function DialogHost() {
  const announcement = useAnnouncement()
  if (!announcement) return null
  const Shown = announcement.live ? liveMessages[announcement.live.kind] : Message
  return (
    <Dialog role="alertdialog" title={DIALOG_TITLES[announcement.kind]} onClose={dismissAnnouncement}>
      <Shown announcement={announcement} />
    </Dialog>
  )
}

function AsToast({ announcement }: Props) {
  useEffect(() => {
    showToast(announcement.lines.join(' '))
    dismissAnnouncement()
  }, [announcement])
  return null
}
