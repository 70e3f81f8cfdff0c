/** The first of these names that stands among them twice, whatever its capitals. */
export function firstTwice(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => {
    const key = name.toLowerCase()
    const isTwice = seen.has(key)
    seen.add(key)
    return isTwice
  })
}
