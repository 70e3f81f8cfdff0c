import type { default as Sharp } from 'sharp'

/**
 * libvips, loaded with the first picture. Without its memory of past operations, which may take 50 MB and never serves
 * again here: each picture is drawn once.
 */
export async function loadSharp(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}
