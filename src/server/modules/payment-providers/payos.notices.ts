/** What opens payOS' door: the checksum key in use and, during a change, the one before. */
export type PayosKeys = { checksumKeys: string[] }
