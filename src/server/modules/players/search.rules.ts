const ID_CHARS = 32
/** Fewer are as likely the beginning of a username. */
const CHARS_MIN = 8

/** The first and the last id that begin with this text; null where no id does. */
export function deliveriesBeginning(text: string): readonly [string, string] | null {
  const plain = text.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]+$/.test(plain) || plain.length < CHARS_MIN || plain.length > ID_CHARS) return null
  return [plain.padEnd(ID_CHARS, '0'), plain.padEnd(ID_CHARS, 'f')]
}
