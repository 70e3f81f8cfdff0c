import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { PublicSettings } from '#contract/settings.ts'
import { firstCalls } from '#web/first-calls.ts'
import { apiQuery, readAnswer } from '#web/query-client.ts'

/** Settings are cached for 0 seconds: each visit asks anew, while what is known is shown (spec §7). */
export const settingsQuery = apiQuery(firstCalls.getSettings)

const NONE: PublicSettings = {}

const DEFAULT_SITE_NAME = 'Cổng Ninja'

/** For the shell, which asks once per visit and says when it could not. */
export const useFreshSettings = () =>
  useQuery({ ...settingsQuery, staleTime: 0, refetchOnWindowFocus: false, retry: false })

/** For everybody below the shell: what the shell got. */
export function useSettings(): PublicSettings {
  const { data } = useQuery({ ...settingsQuery, staleTime: 0, refetchOnMount: false, retry: false })
  return data ?? NONE
}

export function siteNameOf(settings: PublicSettings | undefined): string {
  return settings?.site_name || DEFAULT_SITE_NAME
}

export const readSiteName = (client: QueryClient): string => siteNameOf(readAnswer(client, settingsQuery))
