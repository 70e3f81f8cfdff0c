import { Button, buttonClass } from '#ui/button.tsx'
import { Drawing, Icon, type IconName } from '#ui/icon.tsx'
import { copyText } from '#web/parts/clipboard/copy-row.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import { useSiteOrigin } from '#web/public-url.ts'

const copy = {
  title: 'Chia sẻ',
  zalo: 'Zalo',
  facebook: 'Facebook',
  copyLink: 'Sao chép',
  more: 'Chia sẻ',
  via: (place: string) => `Chia sẻ qua ${place}`,
  copyWhat: ' đường dẫn',
} as const

type Props = {
  /** The address to share, of this site or whole. */
  to: string
  title: string
  /** Where the address stands beside it with its own button. */
  isCopiedElsewhere?: boolean
}

/**
 * Ways to pass an address on. The device's own comes last, and only once it is known whether there is one does a last button of
 * its own row take the whole row: no button becomes smaller under a finger.
 */
export function ShareRow({ to, title, isCopiedElsewhere = false }: Props) {
  const isHydrated = useHydrated()
  const address = new URL(to, useSiteOrigin()).href
  const links = shareLinks(address)
  return (
    <div
      role="group"
      aria-label={copy.title}
      className={`grid grid-cols-2 gap-2 sm:flex ${isHydrated ? '[&>:last-child:nth-child(odd)]:col-span-2' : ''}`}
    >
      <ShareLink icon="chat" to={links.zalo} name={copy.zalo} />
      <ShareLink icon="people" to={links.facebook} name={copy.facebook} />
      {!isCopiedElsewhere && (
        <Button kind="plain" className="while-scripting" onClick={() => void copyText(address)}>
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
    // Dismissed by the player or refused by the device: the other ways are beside it.
  }
}

/** Where others open a page with its address filled in: plain links, without any script of theirs. */
export function shareLinks(address: string): { zalo: string; facebook: string } {
  const encoded = encodeURIComponent(address)
  return {
    zalo: `https://zalo.me/share?url=${encoded}`,
    facebook: `https://www.facebook.com/sharer/sharer.php?u=${encoded}`,
  }
}
