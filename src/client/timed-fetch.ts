import type { TransportReply } from '#contract/rendered-page.ts'
import { serverTimeOf } from './answer-age.ts'
import { takeServerTime } from './server-clock.ts'

/** `fetch` of a call of the API, whose answer tells the server's time. */
export async function timedFetch(url: string, init: RequestInit): Promise<Response> {
  const began_ms = performance.now()
  const response = await fetch(url, init)
  takeServerTime(response.headers, began_ms)
  return response
}

export const replyOf = async (response: Response): Promise<TransportReply> => ({
  status: response.status,
  text: await response.text(),
  moment: serverTimeOf(response.headers),
})
