/**
 * Reads server-sent events out of text that arrives in pieces. `EventSource` cannot carry the session's header,
 * so the stream is parsed here. Names and ids of events are ignored: each stream of the portal has one kind.
 */
export function createEventReader(onEvent: (data: string) => void): (piece: string) => void {
  let rest = ''
  let lines: string[] = []

  function take(line: string): void {
    if (line === '') {
      if (lines.length > 0) onEvent(lines.join('\n'))
      lines = []
      return
    }
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
