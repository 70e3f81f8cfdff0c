import { Client, type Answer, type ClientOptions, type Request } from './client.ts'
import type { Random } from './random.ts'

type Answered = { request: Request; answer: Answer }

/** Of so many answered requests of the run one is repeated. */
const REMEMBERED_MAX = 200
const REPEATED_OF_10 = 4
const TWINS_OF_10 = 2
const OTHER_BODIES_OF_10 = 1

const isDone = ({ status }: Answer) => status >= 200 && status < 300

/** What two answers to one key have to be equal in. */
const textOf = ({ status, body }: Answer) =>
  JSON.stringify({ status, body: { ...body, requestId: undefined } })

/**
 * A player's client that does not believe an answer: it sends what was done again with its key, now and much later, at the
 * same moment twice, and with another body. The first two have to get the first answer, the last one KEY_REUSED. An answer
 * of 500 is wrong whatever happened meanwhile.
 */
export class RepeatingClient extends Client {
  readonly #random: Random
  readonly #remembered: Answered[] = []
  readonly #repeating = new WeakSet<Request>()
  /** Repeats of what was done, and what was wrong with their answers. */
  answersCompared = 0
  readonly wrongAnswers: string[] = []

  constructor(to: string | readonly string[], random: Random, options?: ClientOptions) {
    super(to, options)
    this.#random = random
  }

  protected override isDefinite(answer: Answer, request: Request): boolean {
    const isFault = answer.status === 500
    if (isFault) this.#wrong(request, `answered 500 ${answer.body?.code ?? ''}`)
    // Nothing more is learnt by sending a repeat that fails again and again.
    if (isFault && this.#repeating.has(request)) return true
    return super.isDefinite(answer, request)
  }

  override async untilDefinite(request: Request): Promise<Answer> {
    if (request.key === undefined) return super.untilDefinite(request)
    const answer = this.#oneIn10(TWINS_OF_10)
      ? await this.#twice(request)
      : await super.untilDefinite(request)
    if (!isDone(answer)) return answer
    this.#remember({ request, answer })
    if (this.#oneIn10(REPEATED_OF_10)) await this.#repeat(this.#random.pick(this.#remembered))
    if (this.#oneIn10(REPEATED_OF_10)) await this.#repeat({ request, answer })
    if (this.#oneIn10(OTHER_BODIES_OF_10)) await this.#tryOtherBody(request)
    return answer
  }

  #oneIn10(times: number): boolean {
    return this.#random.below(10) < times
  }

  #remember(answered: Answered): void {
    this.#remembered.push(answered)
    if (this.#remembered.length > REMEMBERED_MAX) this.#remembered.shift()
  }

  /** A refusal is not stored, so the other one may succeed a moment later. */
  async #twice(request: Request): Promise<Answer> {
    // Which of them comes first is not known, so neither is sent again after a 500.
    const twins = [{ ...request }, { ...request }]
    for (const twin of twins) this.#repeating.add(twin)
    const [one, other] = (await Promise.all(twins.map((twin) => super.untilDefinite(twin)))) as [
      Answer,
      Answer,
    ]
    if (isDone(one) && isDone(other)) this.#compare(request, one, other)
    return isDone(one) ? one : other
  }

  async #repeat({ request, answer }: Answered): Promise<void> {
    const again = { ...request }
    this.#repeating.add(again)
    const second = await super.untilDefinite(again)
    // An hour's requests may be used up; that is no answer about the key.
    if (second.status !== 429) this.#compare(request, answer, second)
  }

  async #tryOtherBody(request: Request): Promise<void> {
    const { body } = request
    if (typeof body !== 'object' || body === null || !('amount' in body)) return
    const other = { ...request, body: { ...body, amount: Number(body.amount) + 10_000 } }
    this.#repeating.add(other)
    const { status, body: said } = await super.untilDefinite(other)
    if (status !== 429 && said?.code !== 'KEY_REUSED')
      this.#wrong(request, `its key with another body got ${status} ${said?.code ?? ''}`)
  }

  #compare(request: Request, first: Answer, second: Answer): void {
    this.answersCompared++
    const [one, other] = [textOf(first), textOf(second)]
    if (one !== other) this.#wrong(request, `repeated got ${other} in place of ${one}`)
  }

  #wrong({ path }: Request, what: string): void {
    this.wrongAnswers.push(`${path} ${what}`.slice(0, 500))
  }
}
