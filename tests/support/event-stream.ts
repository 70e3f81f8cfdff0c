export type StreamEvent<Data> = { id: number | null; data: Data }

/** A stream of events as the browser reads it. `next` waits for one, and is undefined when the stream is over. */
export async function openStream<Data>(url: string, headers: Record<string, string> = {}) {
  const going = new AbortController()
  const answer = await fetch(url, { headers, signal: going.signal })
  const events = eventsOf<Data>(answer)
  return {
    answer,
    next: async (): Promise<StreamEvent<Data>> => (await events.next()).value,
    leave: () => going.abort(),
  }
}

async function* eventsOf<Data>(answer: Response): AsyncGenerator<StreamEvent<Data>> {
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, number] = /^id: (\d+)$/m.exec(block) ?? []
      const [, data] = /^data: (.*)$/m.exec(block) ?? []
      if (data !== undefined)
        yield { id: number === undefined ? null : Number(number), data: JSON.parse(data) }
    }
  }
}
