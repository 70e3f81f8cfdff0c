import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'

/** The ids of an act that may come back as news: that of its address, and that of a proposal it made. */
type Answered = { id?: unknown; proposal?: { id: string } | null; proposals?: readonly { id: string }[] }

const underWay = new Set<Promise<unknown>>()
const own = new Set<string>()

const nameOf = (kind: string, id: unknown) => `${kind} ${String(id)}`

/** Remembers what an act of this operator changes: the server sends the news to every console, also to this one. */
export async function asOwnAct<E extends Endpoint>(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  sent: Promise<AnswerOf<E>>,
): Promise<AnswerOf<E>> {
  if (method === 'GET') return sent
  underWay.add(sent)
  try {
    const answer = await sent
    const { id, proposal, proposals = [] } = (answer ?? {}) as Answered
    // An accepted notification answers with its transfer.
    const kind = path.startsWith('/operator/payment-events') ? 'bank-transfers' : path.split('/')[2]
    if (id !== undefined) own.add(nameOf(kind ?? '', id))
    for (const made of [proposal, ...proposals]) if (made) own.add(nameOf('proposals', made.id))
    return answer
  } finally {
    underWay.delete(sent)
  }
}

/** Whether news of a list, named as in its calls, was caused by this operator; waits for the answers of the acts under way. */
export async function isOwnAct(kind: string, id: string): Promise<boolean> {
  await Promise.allSettled(underWay)
  return own.has(nameOf(kind, id))
}
