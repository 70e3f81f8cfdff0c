/** `Page — Site`, and the site's name alone where the page has no other. */
export function fullTitle(title: string, siteName: string): string {
  return title === siteName ? siteName : `${title} — ${siteName}`
}
