/** Reads CSV as RFC 4180 says, and nothing more lenient: lines end with CRLF, quotes stand around whole cells. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let rest = text
  while (rest !== '') {
    const found = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest)
    if (found === null) throw new Error(`not CSV: ${JSON.stringify(rest.slice(0, 80))}`)
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '\r\n') {
      rows.push(row)
      row = []
    }
    rest = rest.slice(found[0].length)
  }
  if (row.length > 0) throw new Error('the last line has no end')
  return rows
}
