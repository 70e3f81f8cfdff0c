/** The networks of three numbers, in order: which range each lies in, and the place of each range. */
export type PlacesTable = {
  /** The first network behind each range. */
  ends: Uint32Array<ArrayBuffer>
  /** Of each range, as an index into the names. */
  places: Uint8Array<ArrayBuffer>
  names: string[]
}

/** What the table calls networks that no country has. */
export const NOWHERE = '--'
