import { PortalClient, type Answer, type Request } from '../portal-client.ts'

/** What the clients of a run met, counted outside the portal. */
export type Traffic = {
  requests: number
  /** Operations that ended with an answer that says what became of them. */
  definite: number
  /** No whole answer came. */
  unanswered: number
  /** 503 with Retry-After, as it should be when something behind the portal fails. */
  unavailable: number
  /** Any other answer of 500 and above: there is no fault that excuses one. */
  broken: string[]
}

export const noTraffic = (): Traffic => ({
  requests: 0,
  definite: 0,
  unanswered: 0,
  unavailable: 0,
  broken: [],
})

/** A client that asks the web processes in turn, as behind a load balancer without health checks. */
export class TurningClient extends PortalClient {
  readonly #urls: readonly string[]
  readonly #traffic: Traffic
  #turn = 0

  constructor(urls: readonly string[], traffic: Traffic) {
    super('')
    this.#urls = urls
    this.#traffic = traffic
  }

  override async try(request: Request): Promise<Answer | null> {
    this.moveTo(this.#urls[this.#turn++ % this.#urls.length] as string)
    this.#traffic.requests++
    const answer = await super.try(request)
    if (answer === null) this.#traffic.unanswered++
    else if (answer.status === 503 && answer.retryAfterMs > 0) this.#traffic.unavailable++
    else if (answer.status >= 500) {
      this.#traffic.broken.push(`${request.method} ${request.path}: ${answer.status} ${answer.body?.code}`)
    }
    return answer
  }

  override async untilDefinite(request: Request): Promise<Answer> {
    const answer = await super.untilDefinite(request)
    this.#traffic.definite++
    return answer
  }

  /** A bank repeats its notification until it is taken, whatever the portal says. */
  protected override isDefinite(answer: Answer, request: Request): boolean {
    if (request.path.startsWith('/api/webhooks/')) return answer.status === 200
    return super.isDefinite(answer, request)
  }
}
