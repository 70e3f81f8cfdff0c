/** More than these in a row never stand over one letter of any language; from Unicode's Stream-Safe Text Format. */
const MARKS_AT_ONCE = /([\p{M}--\u034f]{30})(?=[\p{M}--\u034f])/gv

/** Sorting the marks of a letter, as `normalize` and the database do, takes quadratic time: a joiner bounds each run. */
export const boundedMarks = (text: string): string => text.replace(MARKS_AT_ONCE, '$1\u034f')

/**
 * Text as it may be stored and put into XML: one form for letters with marks, no control characters (PostgreSQL
 * refuses a NUL, XML most of the others), no halves of characters.
 */
export function cleanText(text: string): string {
  return (
    boundedMarks(text.toWellFormed())
      .normalize('NFC')
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g, '')
  )
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}
