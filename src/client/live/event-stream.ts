/**
 * Reads server-sent events out of text that arrives in pieces. `EventSource` cannot carry the session's header, and repeats
 * the id of an earlier event with one that has none, so the stream is parsed here. Names of events are ignored: each stream
 * of the portal has one kind.
 */
export function createEventReader(
  onEvent: (data: string, id: string | null) => void,
): (piece: string) => void {
  let rest = ''
  let lines: string[] = []
  let id: string | null = null

  function take(line: string): void {
    if (line === '') {
      if (lines.length > 0) onEvent(lines.join('\n'), id)
      lines = []
      id = null
      return
    }
    if (line.startsWith('id:')) id = line.slice('id:'.length).trim()
    if (line === 'data' || line.startsWith('data:')) lines.push(line.slice('data:'.length).replace(/^ /, ''))
  }

  return (piece) => {
    const text = rest + piece
    // A carriage return at the very end may be the first half of a line end.
    const complete = text.endsWith('\r') ? text.slice(0, -1) : text
    const parts = complete.split(/\r\n|\n|\r/)
    rest = (parts.pop() ?? '') + text.slice(complete.length)
    for (const line of parts) take(line)
  }
}
