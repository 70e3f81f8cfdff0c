import { createContext, use, useSyncExternalStore } from 'react'

/** The address of the portal as players know it, while the server renders. */
export const PublicUrlContext = createContext<string | undefined>(undefined)

const never = () => () => {}

/** The browser hydrates what the server rendered, then uses the name by which this visitor reached the site. */
export function useSiteOrigin(): string {
  const rendered = use(PublicUrlContext)
  return useSyncExternalStore(
    never,
    () => location.origin,
    () => rendered ?? canonicalOrigin(),
  )
}

function canonicalOrigin(): string {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]')
  return new URL(canonical?.href ?? location.href).origin
}
