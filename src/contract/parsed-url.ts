/** The parts of an address, null when it is none. */
export function parsedUrl(address: string): URL | null {
  try {
    return new URL(address)
  } catch {
    // `URL.parse` would say so without an error, but the oldest supported browsers lack it.
    return null
  }
}
