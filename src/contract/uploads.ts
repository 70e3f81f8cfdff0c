/** Pictures of operators are drawn in these widths. */
export const PICTURE_WIDTHS = [320, 640, 960, 1280] as const

/** The width a browser without `srcset` loads. */
const USUAL_WIDTH = 640

const UPLOAD = /^\/uploads\/([0-9a-f]{32})-(?:320|640|960|1280)\.webp$/

export const uploadBase = (hash: string) => `/uploads/${hash}`

export const uploadAddress = (hash: string, width: number) => `${uploadBase(hash)}-${width}.webp`

/** The hash in the address of an uploaded picture; null for any other address. */
export const uploadHash = (address: string): string | null => UPLOAD.exec(address)?.[1] ?? null

/** The attributes of an `img` that shows an uploaded picture, besides its text and its size. */
export const uploadSources = (hash: string) => ({
  src: uploadAddress(hash, USUAL_WIDTH),
  srcset: PICTURE_WIDTHS.map((width) => `${uploadAddress(hash, width)} ${width}w`).join(', '),
  sizes: '(min-width: 48rem) 768px, 94vw',
})

/** A cover is one of our own pictures: a path below `/images/` or an uploaded picture, without the width. */
export const COVER = /^\/(?:images\/[a-z0-9/_-]{1,120}|uploads\/[0-9a-f]{32})$/
