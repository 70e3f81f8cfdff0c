import { useState, useSyncExternalStore } from 'react'
import { useQuery } from '#web/use-query.ts'
import type { Device } from '#contract/downloads.ts'
import { pages, paths } from '#contract/pages.ts'
import { Button } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { downloadVersions, type DeviceVersions } from '#web/features/downloads/download-versions.ts'
import { downloadsCopy as copy } from '#web/features/downloads/downloads.copy.ts'
import { DeviceCard, PhoneCodes } from '#web/features/downloads/version-list.tsx'
import { InAppHint } from '#web/parts/in-app/in-app-hint.tsx'
import type { Page } from '#web/page.ts'
import { settingsQuery } from '#web/parts/settings/settings.ts'
import { breadcrumbs, organization, videoGame } from '#web/parts/structured/structured-data.ts'

function DownloadPage() {
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.download.title}</h1>
      <InAppHint text={copy.inApp} className="mt-4" />
      <div className="min-h-[32rem]">
        <Loaded query={useQuery(settingsQuery)} skeleton={<Skeleton className="mt-6 h-36 w-full" />}>
          {(settings) => <Versions offers={downloadVersions(settings)} />}
        </Loaded>
      </div>
    </div>
  )
}

/**
 * The same elements for every device, before and after hydration: the document's first script detects the device, and the
 * styles hide the elements of the others.
 */
function Versions({ offers }: { offers: DeviceVersions[] }) {
  const device = useDevice()
  const [isAllShown, setAllShown] = useState(false)
  if (offers.length === 0) return <PageState picture="empty" title={copy.none} text={copy.noneMore} />
  return (
    <>
      <div className="while-scripting mt-3 mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-soft">{isAllShown ? copy.all : copy.suited}</p>
        <Button kind="plain" aria-pressed={isAllShown} onClick={() => setAllShown(!isAllShown)}>
          {isAllShown ? copy.showSuited : copy.showAll}
        </Button>
      </div>
      <div className="flex flex-col gap-5">
        {device !== null && !isAllShown && !offers.some((offer) => offer.device === device) && (
          <PageState title={copy.noneForDevice} text={copy.noneForDeviceMore} />
        )}
        {offers.map((offer) => (
          <div key={offer.device} className={isAllShown ? undefined : 'for-device'} data-for={offer.device}>
            <DeviceCard offer={offer} />
          </div>
        ))}
        <div className="for-device" data-for="pc">
          <PhoneCodes offers={isAllShown ? offers : offers.filter(isForSmartphones)} />
        </div>
      </div>
    </>
  )
}

const isForSmartphones = ({ device }: DeviceVersions) => device === 'android' || device === 'ios'

/** Known in the browser only, by the first script of the document. */
function useDevice(): Device | null {
  return useSyncExternalStore(
    () => () => {},
    () => document.documentElement.dataset.device as Device,
    () => null,
  )
}

export const page: Page = {
  Component: DownloadPage,
  queries: () => [settingsQuery],
  head: () => ({ description: copy.description }),
  structured:
    import.meta.env.SSR &&
    (({ client, publicUrl }) => {
      const settings = client.getQueryData(settingsQuery.queryKey)
      return [
        videoGame(settings, publicUrl),
        organization(settings, publicUrl),
        breadcrumbs(publicUrl, [
          { name: pages.home.title, path: paths.home },
          { name: pages.download.title, path: paths.download },
        ]),
      ]
    }),
}
