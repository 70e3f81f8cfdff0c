import type { PublicSettings } from '#contract/settings.ts'
import { isWebAddress } from '#web/features/settings/community-links.ts'

export type Device = 'java' | 'android' | 'pc' | 'ios'

export type Version = { key: string; label: string; href: string }

export type DeviceVersions = { device: Device; name: string; versions: Version[] }

const catalogue: readonly {
  device: Device
  name: string
  versions: readonly [key: string, label: string][]
}[] = [
  {
    device: 'android',
    name: 'Android',
    versions: [['android_auto', 'Bản Android']],
  },
  {
    device: 'ios',
    name: 'iPhone, iPad',
    versions: [
      ['ios', 'Bản iOS'],
      ['ios_auto', 'Bản iOS có auto'],
    ],
  },
  {
    device: 'pc',
    name: 'Máy tính',
    versions: [
      ['pc', 'Bản PC'],
      ['pc_auto', 'Bản PC có auto'],
    ],
  },
  {
    device: 'java',
    name: 'Điện thoại Java',
    versions: [
      ['java_148_x1', 'Java 148 x1'],
      ['java_148_x3', 'Java 148 x3'],
      ['java_148_x6', 'Java 148 x6'],
      ['java_211_x1', 'Java 211 x1'],
      ['java_e71', 'Java E71'],
      ['java_e72', 'Java E72'],
    ],
  },
]

/** The versions whose links are set, by device; a device without any is left out. */
export function downloadVersions(settings: PublicSettings): DeviceVersions[] {
  return catalogue
    .map(({ device, name, versions }) => ({
      device,
      name,
      versions: versions.flatMap(([key, label]) => {
        const href = settings[key]
        return isWebAddress(href) ? [{ key, label, href }] : []
      }),
    }))
    .filter(({ versions }) => versions.length > 0)
}

/** What the browser says it runs on. An iPad calls itself a Mac, but only it has a touch screen. */
export function detectDevice(userAgent: string, touchPoints: number): Device {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && touchPoints > 1)) return 'ios'
  if (/j2me|midp|symbian|series\s?60|nokia/i.test(userAgent)) return 'java'
  return 'pc'
}
