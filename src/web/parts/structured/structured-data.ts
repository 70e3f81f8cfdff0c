import { downloadKeys, type Device } from '#contract/downloads.ts'
import type { PublicSettings } from '#contract/settings.ts'
import { ageClassOf, siteNameOf, isWebAddress } from '#web/parts/settings/settings.ts'

// Structured data (schema.org) for search engines. Only the server needs it.

const PLATFORMS: Record<Device, string> = { android: 'Android', ios: 'iOS', pc: 'Windows', java: 'Java ME' }

export const organizationRef = (publicUrl: string) => ({ '@id': `${publicUrl}/#organization` })

/** Whoever publishes the posts and the game: the portal under its name. */
export function organization(settings: PublicSettings | undefined, publicUrl: string): object {
  const elsewhere = [settings?.['fanpage_link'], settings?.['group_link']].filter(isWebAddress)
  return {
    '@type': 'Organization',
    ...organizationRef(publicUrl),
    name: siteNameOf(settings),
    url: publicUrl,
    logo: `${publicUrl}/images/logo.png`,
    ...(elsewhere.length > 0 && { sameAs: elsewhere }),
  }
}

export function videoGame(settings: PublicSettings | undefined, publicUrl: string): object {
  const platforms = Object.entries(downloadKeys)
    .filter(([, keys]) => keys.some((key) => isWebAddress(settings?.[key])))
    .map(([device]) => PLATFORMS[device as Device])
  return {
    '@type': 'VideoGame',
    '@id': `${publicUrl}/#game`,
    name: siteNameOf(settings),
    url: publicUrl,
    ...(settings?.['site_description'] && { description: settings['site_description'] }),
    image: `${publicUrl}/images/og-default.png`,
    inLanguage: 'vi',
    genre: 'Nhập vai',
    playMode: 'MultiPlayer',
    contentRating: ageClassOf(settings),
    ...(platforms.length > 0 && { gamePlatform: platforms }),
    publisher: organizationRef(publicUrl),
  }
}

/** The way to a page; the last step is the page itself. */
export const breadcrumbs = (publicUrl: string, steps: readonly { name: string; path: string }[]): object => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: publicUrl + path,
  })),
})
