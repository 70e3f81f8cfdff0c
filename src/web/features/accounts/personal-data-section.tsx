import { Suspense, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { AccountRow } from '#web/features/accounts/account-row.tsx'
import { personalDataCopy as copy } from '#web/features/accounts/personal-data.copy.ts'
import { lazyComponent } from '#web/load-chunk.ts'

const DownloadData = lazyComponent(() =>
  import('#web/features/accounts/download-data.tsx').then((part) => part.DownloadData),
)

/** What the portal keeps of the player: a copy of it. The dialogs are loaded when they are wanted. */
export function PersonalDataSection() {
  const [isDownloading, setDownloading] = useState(false)
  return (
    <Section title={copy.title} className="mt-10">
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        <AccountRow title={copy.download} why={copy.downloadWhy}>
          <Button kind="plain" onClick={() => setDownloading(true)}>
            {copy.download}
          </Button>
        </AccountRow>
      </ul>
      <Suspense fallback={null}>
        {isDownloading && <DownloadData onClose={() => setDownloading(false)} />}
      </Suspense>
    </Section>
  )
}
