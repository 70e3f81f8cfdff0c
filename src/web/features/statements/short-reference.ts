/** As much of a reference as an order's code is long; nobody reads out the rest of a purchase's. */
const WHOLE_MAX = 13
const SHOWN = 8

/** The part of a reference that a line of the statement has room for. */
export function shortReference(reference: string): { shown: string; isCut: boolean } {
  const isCut = reference.length > WHOLE_MAX
  return { shown: isCut ? reference.slice(0, SHOWN) : reference, isCut }
}
