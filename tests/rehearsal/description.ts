import { isDeepStrictEqual } from 'node:util'
import { callGame } from '#tests/support/adapted-game.ts'
import { SECRET } from './game.ts'

/** What does not change while a game runs. */
type Fixed = Record<string, unknown>
type Told = Fixed & { collector_seen_at: string | null; half_lock_seen_at: string | null }

const CLOCKS_MS = 1_000

/** Every `GET /v1/game` of a run: whatever fails, an answer says the same as the first one, and no time goes backwards. */
export class Description {
  readonly wrong: string[] = []
  count = 0
  readonly #url: string
  #first: Fixed = {}
  #collected = ''
  #halfLock = ''

  constructor(url: string) {
    this.#url = url
  }

  get saysHalfLock(): boolean {
    return this.#halfLock !== ''
  }

  /** Once the game has said all that it can do. */
  async begin(): Promise<void> {
    for (const end = Date.now() + 30_000; ;) {
      const told = await this.#ask()
      if (told?.charges === true && told.notices === true && told.collector_seen_at !== null) {
        this.#first = fixedOf(told)
        return
      }
      if (Date.now() > end) throw new Error(`the game never says what it can do: ${JSON.stringify(told)}`)
    }
  }

  async read(): Promise<void> {
    const told = await this.#ask()
    if (told === null) return
    this.count++
    const fixed = fixedOf(told)
    if (!isDeepStrictEqual(fixed, this.#first))
      this.wrong.push(`other than at first: ${JSON.stringify(fixed)}`)
    this.#collected = this.#expectLater('collector_seen_at', told.collector_seen_at, this.#collected)
    this.#halfLock = this.#expectLater('half_lock_seen_at', told.half_lock_seen_at, this.#halfLock)
  }

  #expectLater(name: string, told: string | null, before: string): string {
    const time = told ?? ''
    if (time < before) this.wrong.push(`${name} was ${before} and is ${time || 'null'}`)
    if (time !== '' && Date.parse(time) > Date.now() + CLOCKS_MS)
      this.wrong.push(`${name} is to come: ${time}`)
    return time < before ? before : time
  }

  /** Null while the adapter or its database is away, which has to be said by no answer or by 503. */
  async #ask(): Promise<Told | null> {
    const answer = await callGame(this.#url, { path: '/v1/game', secret: SECRET }).catch(() => null)
    if (answer === null || answer.status === 503) return null
    if (answer.status === 200) return answer.body as Told
    this.wrong.push(`GET /v1/game: HTTP ${answer.status}`)
    return null
  }
}

const fixedOf = ({ collector_seen_at: _collected, half_lock_seen_at: _halfLock, ...fixed }: Told): Fixed =>
  fixed
