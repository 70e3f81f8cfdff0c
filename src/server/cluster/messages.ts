/** From the primary to a process it started. */
export type Order = { portal: 'stop' | 'report' }

/** What a started process tells the primary. */
export type Tiding =
  | { portal: 'ready' | 'reported' }
  /** It cannot start; the sentence says why and what to do. */
  | { portal: 'failed'; sentence: string }

type Told = Order | Tiding

/** Other messages of the same channel, those of node:cluster and of the shared limits, are not ours. */
export const isOurs = <Message extends Told>(message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'portal' in message
