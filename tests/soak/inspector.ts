/** Reads a process through Node's inspector, which is opened for this purpose alone. */
export type Inspector = {
  /** Bytes in use after everything that nobody holds is gone. */
  heapAfterCollection(): Promise<number>
  /** Active resources of the process, by kind: sockets, timers, files. */
  activeResources(): Promise<Record<string, number>>
  close(): void
}

type Message = { id?: number; result?: Record<string, unknown>; error?: { message: string } }

const OPEN_TRIES = 100

export async function openInspector(port: number): Promise<Inspector> {
  const socket = new WebSocket(await debuggerUrl(port))
  const { promise: isOpen, resolve, reject } = Promise.withResolvers<void>()
  socket.addEventListener('open', () => resolve())
  socket.addEventListener('error', () => reject(new Error('the inspector does not answer')))
  const waiting = new Map<number, (message: Message) => void>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
  })
  await isOpen
  let last = 0
  const call = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    const id = ++last
    const answer = new Promise<Message>((answered) => waiting.set(id, answered))
    socket.send(JSON.stringify({ id, method, params }))
    const { result, error } = await answer
    waiting.delete(id)
    if (result === undefined) throw new Error(`${method}: ${error?.message}`)
    return result
  }
  await call('HeapProfiler.enable')
  return {
    async heapAfterCollection() {
      await call('HeapProfiler.collectGarbage')
      return (await call('Runtime.getHeapUsage')).usedSize as number
    },
    async activeResources() {
      const expression = 'JSON.stringify(process.getActiveResourcesInfo())'
      const { result } = (await call('Runtime.evaluate', { expression })) as { result: { value: string } }
      const kinds = JSON.parse(result.value) as string[]
      return Object.fromEntries(
        [...new Set(kinds)].map((kind) => [kind, kinds.filter((one) => one === kind).length]),
      )
    },
    close: () => socket.close(),
  }
}

async function debuggerUrl(port: number): Promise<string> {
  for (let left = OPEN_TRIES; left > 0; left--) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
      const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[]
      if (target) return target.webSocketDebuggerUrl
    } catch {
      await new Promise((wait) => setTimeout(wait, 100))
    }
  }
  throw new Error(`no inspector at port ${port}`)
}
