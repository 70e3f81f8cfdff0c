/** The JSON value stored under a key; empty when it is not valid or storage is forbidden. */
export function readStored<T>(key: string): Partial<T> {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}) as Partial<T>
  } catch {
    return {}
  }
}

/** Stores a text, or removes it. Where storage is full or forbidden nothing is stored, and the portal works without. */
export function writeStored(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key)
    else localStorage.setItem(key, text)
  } catch {
    // See above.
  }
}
