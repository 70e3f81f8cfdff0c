import { Link } from '#web/navigation.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import {
  formatSize,
  type DeviceVersions,
  type FileFacts,
  type Version,
} from '#web/features/downloads/download-versions.ts'
import { deviceNames, downloadsCopy as copy, versionNames } from '#web/features/downloads/downloads.copy.ts'
import { paths } from '#contract/pages.ts'

/** The versions for one device, each with the facts of its file. */
export function DeviceCard({ offer: { device, versions } }: { offer: DeviceVersions }) {
  return (
    <section className="rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5">
      <h2 className="mb-4 text-xl">{deviceNames[device]}</h2>
      <ul className="grid gap-x-5 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        {versions.map((version) => (
          <li key={version.key} className="min-w-0">
            <VersionLink version={version} />
          </li>
        ))}
      </ul>
      {device === 'ios' && (
        <Link
          to={paths.iosGuide}
          className="mt-3 inline-flex min-h-11 items-center font-bold text-vermilion underline-offset-4 hover:underline"
        >
          {copy.iosGuide}
        </Link>
      )}
    </section>
  )
}

export function VersionLink({ version: { key, href, file } }: { version: Version }) {
  return (
    <>
      <a href={href} rel="noopener noreferrer" className={buttonClass('main', 'w-full')}>
        <Icon name="download" />
        {copy.download(versionNames[key])}
      </a>
      <Facts file={file} />
    </>
  )
}

function Facts({ file: { version, size_bytes, sha256 } }: { file: FileFacts }) {
  if (!version && !size_bytes && !sha256) return null
  return (
    <dl className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft">
      {version && <Fact name={copy.version}>{version}</Fact>}
      {size_bytes && <Fact name={copy.size}>{formatSize(size_bytes)}</Fact>}
      {sha256 && (
        <div className="basis-full">
          <dt>{copy.fingerprint}</dt>
          <dd className="font-mono text-xs break-all">{sha256}</dd>
        </div>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className="flex gap-1">
      <dt>{name}</dt>
      <dd className="font-bold text-ink">{children}</dd>
    </div>
  )
}

/** For players at a desktop who play on a phone. The server renders the codes. */
export function PhoneCodes({ offers }: { offers: readonly DeviceVersions[] }) {
  const versions = offers.filter(({ device }) => device !== 'pc').flatMap((offer) => offer.versions)
  if (versions.length === 0) return null
  return (
    <section className="rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5">
      <h2 className="text-xl">{copy.scanTitle}</h2>
      <p className="mt-1 mb-4 text-soft">{copy.scan}</p>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,44%),1fr))] gap-4">
        {versions.map(({ key }) => (
          <li key={key} className="text-center">
            {/* White in dark mode too: scanners need dark on light. */}
            <img
              src={`/download/qr/${key}.svg`}
              width={160}
              height={160}
              loading="lazy"
              alt={copy.qrAlt(versionNames[key])}
              className="mx-auto aspect-square h-auto w-full max-w-40 rounded-lg border border-line bg-[#fff]"
            />
            <span className="mt-1.5 block text-sm font-bold">{versionNames[key]}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
