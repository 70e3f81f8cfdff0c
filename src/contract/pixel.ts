import { pages, patternOf, type PageEntry } from './pages.ts'

const withPixel = Object.values<PageEntry>(pages).filter(({ hasPixel }) => hasPixel)
const PIXEL_PATHS = new RegExp(`^(${withPixel.map(patternOf).join('|')})$`)

/** Whether the advertiser's pixel may load in the document at this path. */
export function isPixelPath(path: string): boolean {
  return PIXEL_PATHS.test(path)
}

/** Of the question that visitors are asked about the pixel. A later version asks everybody again. */
export const PIXEL_QUESTION_VERSION = 1

export const PIXEL_SCRIPT_ORIGIN = 'https://connect.facebook.net'

export const PIXEL_REPORT_ORIGIN = 'https://www.facebook.com'
