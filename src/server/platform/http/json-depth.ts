/**
 * Whether lists and objects are nested deeper than that. Determined from the text, before it is parsed;
 * for a text that is not JSON the result has no meaning, and the parser refuses it anyway.
 */
export function isDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') {
      depth++
      if (depth > depthMax) return true
    } else if (character === ']' || character === '}') depth--
  }
  return false
}
