import { Button, buttonClass } from '#ui/button.tsx'
import { Drawing, Icon, type IconName } from '#ui/icon.tsx'
import { copyRowCopy } from '#web/parts/copy-row/copy-row.copy.ts'
import { copyText } from '#web/parts/copy-row/copy-text.ts'
import { useHydrated } from '#web/parts/page-states/use-hydrated.ts'
import { useSiteOrigin } from '#web/public-url.ts'
import { shareCopy as copy } from '#web/parts/share/share.copy.ts'
import { shareLinks } from '#web/parts/share/share-links.ts'

type Props = {
  /** The address to share, of this site or whole. */
  to: string
  title: string
  /** Where the address stands beside it with its own button. */
  isCopiedElsewhere?: boolean
}

/** Ways to pass an address on. The device's own comes last, so that nothing moves when it turns out that there is one. */
export function ShareRow({ to, title, isCopiedElsewhere = false }: Props) {
  const isHydrated = useHydrated()
  const address = new URL(to, useSiteOrigin()).href
  const links = shareLinks(address)
  return (
    <div
      role="group"
      aria-label={copy.title}
      className="grid grid-cols-2 gap-2 sm:flex [&>:last-child:nth-child(odd)]:col-span-2"
    >
      <ShareLink icon="chat" to={links.zalo} name={copy.zalo} />
      <ShareLink icon="people" to={links.facebook} name={copy.facebook} />
      {!isCopiedElsewhere && (
        <Button kind="plain" className="while-scripting" onClick={() => void copyText(address, copyRowCopy)}>
          <Icon name="copy" />
          {copy.copyLink}
          <span className="sr-only">{copy.copyWhat}</span>
        </Button>
      )}
      {isHydrated && 'share' in navigator && (
        <Button onClick={() => void shareByDevice({ url: address, title })}>
          <Drawing path={ARROW_OUT} />
          {copy.more}
        </Button>
      )}
    </div>
  )
}

const ARROW_OUT = 'M12 15V3.5m-4 4 4-4 4 4M5.5 12v8.5h13V12'

function ShareLink({ icon, to, name }: { icon: IconName; to: string; name: string }) {
  return (
    <a
      href={to}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={copy.via(name)}
      className={buttonClass('plain')}
    >
      <Icon name={icon} />
      {name}
    </a>
  )
}

async function shareByDevice(what: ShareData): Promise<void> {
  try {
    await navigator.share(what)
  } catch {
    // Put aside by the player, or refused by the device: the other ways are beside it.
  }
}
