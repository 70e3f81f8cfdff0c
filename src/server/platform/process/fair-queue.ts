/** Who waits, each for a key (an address): the keys are served in turn, and those of one key in their order. */
export class FairLine<One> {
  readonly #lines = new Map<string, Set<One>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** How many keys have somebody in the line. */
  get keys(): number {
    return this.#lines.size
  }

  sizeOf(key: string): number {
    return this.#lines.get(key)?.size ?? 0
  }

  add(key: string, one: One): void {
    const line = this.#lines.get(key)
    if (line === undefined) this.#lines.set(key, new Set([one]))
    else line.add(one)
    this.#size++
  }

  remove(key: string, one: One): void {
    const line = this.#lines.get(key)
    if (!line?.delete(one)) return
    if (line.size === 0) this.#lines.delete(key)
    this.#size--
  }

  /** Takes out whose turn it is. */
  next(): One | undefined {
    for (const [key, line] of this.#lines) {
      const [first] = line
      this.#lines.delete(key)
      line.delete(first as One)
      // The key's next one comes after one of each other key.
      if (line.size > 0) this.#lines.set(key, line)
      this.#size--
      return first
    }
    return undefined
  }

  /** How many are served before one more of this key, when nobody else comes. */
  aheadOf(key: string): number {
    const own = this.sizeOf(key)
    let ahead = 0
    let rounds = own + 1
    for (const [other, line] of this.#lines) {
      // Those behind it have one turn less.
      if (other === key) rounds = own
      ahead += Math.min(line.size, rounds)
    }
    return ahead
  }

  /** The last of the longest line, when that is longer than this key's would be with one more; who makes room for it. */
  lastOfLongest(key: string): One | undefined {
    let longest = this.#lines.get(key)
    const enough = (longest?.size ?? 0) + 1
    for (const line of this.#lines.values()) if (line.size > (longest?.size ?? 0)) longest = line
    return longest !== undefined && longest.size > enough ? [...longest].at(-1) : undefined
  }
}
