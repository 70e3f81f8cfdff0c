/** Operators type settings by hand: only a plain web address becomes a link. */
export function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/[^\s]+$/i.test(text)
}
