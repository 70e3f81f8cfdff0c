import { useState, useSyncExternalStore } from 'react'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import {
  detectDevice,
  downloadVersions,
  type Device,
  type DeviceVersions,
} from '#web/features/settings/download-versions.ts'
import type { Page } from '#web/page.ts'
import { settingsQuery, useSettings } from '#web/shell/settings.ts'

function DownloadPage() {
  const offers = downloadVersions(useSettings())
  const device = useDevice()
  const [isAllShown, setAllShown] = useState(false)
  const suited = offers.filter((offer) => offer.device === device)
  const shown = isAllShown ? offers : suited
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">Tải game</h1>
      <p className="mt-3 mb-6 max-w-prose text-soft">
        {isAllShown ? 'Tất cả phiên bản của game.' : 'Phiên bản phù hợp với thiết bị bạn đang dùng.'}
      </p>
      <div className="min-h-48 space-y-5">
        {device === null && !isAllShown && <Skeleton className="h-36 w-full" />}
        {device !== null && shown.length === 0 && (
          <PageState title="Chưa có phiên bản cho thiết bị này.">
            <p className="text-soft">Bạn có thể xem tất cả phiên bản bên dưới.</p>
          </PageState>
        )}
        {shown.map((offer) => (
          <DeviceCard key={offer.device} offer={offer} />
        ))}
      </div>
      <Button
        kind="plain"
        className="mt-6"
        aria-pressed={isAllShown}
        onClick={() => setAllShown(!isAllShown)}
      >
        {isAllShown ? 'Chỉ xem phiên bản phù hợp' : 'Xem tất cả phiên bản'}
      </Button>
    </div>
  )
}

/** Known in the browser only: the server's HTML is the same for every device. */
function useDevice(): Device | null {
  return useSyncExternalStore(
    () => () => {},
    () => detectDevice(navigator.userAgent, navigator.maxTouchPoints),
    () => null,
  )
}

function DeviceCard({ offer }: { offer: DeviceVersions }) {
  return (
    <section className="rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5">
      <h2 className="mb-3 text-xl">{offer.name}</h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {offer.versions.map(({ key, label, href }) => (
          <li key={key}>
            <a href={href} rel="noopener noreferrer" className={buttonClass('main', 'w-full')}>
              <Icon name="download" />
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

export const downloadPage: Page = {
  Component: DownloadPage,
  queries: () => [settingsQuery],
  head: () => ({
    title: 'Tải game',
    description: 'Tải game cho Android, iPhone, máy tính và điện thoại Java.',
  }),
}
