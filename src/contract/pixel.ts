/**
 * The documents in which the advertiser's pixel may load. A list of what is allowed, not of what is forbidden: a page
 * that is added later stays free of it until somebody decides otherwise. Wallet pages, one-time codes and new
 * passwords are never on it.
 */
const PIXEL_PATHS =
  /^\/(home|post\/\d{1,18}|category\/\d{1,18}|community|download(\/ios)?|gem-calculator|tournaments|tournament\/\d{1,18})$/

export function isPixelPath(path: string): boolean {
  return PIXEL_PATHS.test(path)
}

export const PIXEL_SCRIPT_ORIGIN = 'https://connect.facebook.net'

export const PIXEL_REPORT_ORIGIN = 'https://www.facebook.com'
