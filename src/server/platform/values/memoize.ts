/** What `judge` makes of a text, made once for each; after `max` different ones all are forgotten. */
export function memoized<Made>(max: number, judge: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = judge(text)
    if (known.size >= max) known.clear()
    known.set(text, made)
    return made
  }
}
