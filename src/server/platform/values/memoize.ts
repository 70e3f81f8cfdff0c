/** Caches the result of `make` for each text; after `max` different texts the cache is emptied. */
export function memoized<Made>(max: number, make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    if (known.size >= max) known.clear()
    known.set(text, made)
    return made
  }
}
