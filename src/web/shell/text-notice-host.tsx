import { Suspense } from 'react'
import { lazyComponent } from '#web/load-chunk.ts'
import type { TextNoticeProps } from '#web/parts/consents/text-notice.tsx'
import { useSession } from '#web/session/session-store.ts'

const TextNotice = lazyComponent<TextNoticeProps>(() =>
  import('#web/parts/consents/text-notice.tsx').then((part) => part.TextNotice),
)

/** For players who have not agreed to a text in force. */
export function TextNoticeHost() {
  // A process of the release before says nothing of texts.
  const texts = useSession().user?.unread_texts ?? []
  return texts.length > 0 ? (
    <Suspense fallback={null}>
      <TextNotice texts={texts} />
    </Suspense>
  ) : null
}
