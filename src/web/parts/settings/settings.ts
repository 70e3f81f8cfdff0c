import { type QueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import type { PublicSettings, getSettings, listServers } from '#contract/settings.ts'
import { USUAL_AGE_CLASS } from '#contract/constants.ts'
import { openQuery } from '#web/query-client.ts'

/** Settings are cached for 0 seconds: each visit reads them again and shows the known ones meanwhile (spec §7). */
export const settingsQuery = openQuery<typeof getSettings>('/settings')

/** The servers of the game that players choose between. */
export const serversQuery = openQuery<typeof listServers>('/servers')

const NONE: PublicSettings = {}

const DEFAULT_SITE_NAME = 'Cổng Ninja'

/** For the shell, which reads them once per visit and reports a failure. */
export const useFreshSettings = () => useQuery({ ...settingsQuery, staleTime: 0, retry: false })

/** For everything inside the shell: the settings the shell has read. */
export function useSettings(): PublicSettings {
  const { data } = useQuery({ ...settingsQuery, staleTime: 0, refetchOnMount: false, retry: false })
  return data ?? NONE
}

export function siteNameOf(settings: PublicSettings | undefined): string {
  return settings?.site_name || DEFAULT_SITE_NAME
}

export const ageClassOf = (settings: PublicSettings | undefined): string =>
  settings?.age_class ?? USUAL_AGE_CLASS

export const readAgeClass = (client: QueryClient): string =>
  ageClassOf(client.getQueryData(settingsQuery.queryKey))

export const readSiteName = (client: QueryClient): string =>
  siteNameOf(client.getQueryData(settingsQuery.queryKey))

/** Operators type settings by hand: only a plain web address becomes a link. */
export function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/[^\s]+$/i.test(text)
}
