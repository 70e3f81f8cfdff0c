import { downloadKeys, type Device, type DownloadKey } from '#contract/downloads.ts'
import type { PublicSettings } from '#contract/settings.ts'
import { isWebAddress } from '#web/parts/settings/settings.ts'

/** What the operator entered about a file; any part may be missing. */
export type FileFacts = { version?: string; size_bytes?: number; sha256?: string }

export type Version = { key: DownloadKey; href: string; file: FileFacts }

export type DeviceVersions = { device: Device; versions: Version[] }

const DEVICES = Object.keys(downloadKeys) as Device[]

/** The versions whose links are set, by device; a device without any is left out. */
export function downloadVersions(settings: PublicSettings): DeviceVersions[] {
  return DEVICES.map((device) => ({
    device,
    versions: downloadKeys[device].flatMap((key) => {
      const href = settings[key]
      return isWebAddress(href) ? [{ key, href, file: readFileFacts(settings[`${key}_file`]) }] : []
    }),
  })).filter(({ versions }) => versions.length > 0)
}

/** The link is shown even when the text about its file cannot be read. */
function readFileFacts(text: string | undefined): FileFacts {
  if (!text) return {}
  try {
    const { version, size_bytes, sha256 } = JSON.parse(text) as Record<string, unknown>
    return {
      ...(typeof version === 'string' && version !== '' ? { version } : {}),
      ...(typeof size_bytes === 'number' && size_bytes > 0 ? { size_bytes } : {}),
      ...(typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? { sha256 } : {}),
    }
  } catch {
    return {}
  }
}

const KILO = 1024

/** `23.3 MB`; sizes of small games for old phones are shown in KB. */
export function formatSize(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / KILO))
  if (kilobytes < KILO) return `${kilobytes} KB`
  const megabytes = bytes / (KILO * KILO)
  return `${megabytes < 100 ? megabytes.toFixed(1) : Math.round(megabytes)} MB`
}
