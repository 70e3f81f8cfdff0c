import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type GameBridge, openHttpGame } from '#server/modules/game-bridge/index.ts'
import { countsOf, inMs, type Random, secondsSince, seeded, sum } from '../harness/numbers.ts'
import { type AdapterProcess, openAdapterProcess } from './adapter.ts'
import { addClaim, addHeroes, emptyTables, luong } from './claims.ts'
import { Description } from './description.ts'
import { type Rehearsal, type RehearsalGame, SECRET } from './game.ts'

const HEROES = 24
const COLLECTORS = ['first', 'second']
const LANES = 6
const LONG_MS = 3_600_000
/** From the game's last look at its clock to the player. */
const LATE_MS_MAX = 100
const FROZEN_MS = 3_000
const SETTLE_MS_MAX = 60_000
/** Of one account, by the contract. */
const OPEN_MAX = 5

type Hero = { id: number; account: string; habit: 'online' | 'moving' | 'away' }
type Sent = { id: string; account: string; text: string; expiresAt: Date; isStored: boolean }
type Shown = { at: number; account: string; text: string }

export type NoticesPlan = { notices: number; kills: number; seed: number }

/**
 * Notices for players who are in the game, come and go, or are away, and the game's description of itself, while the game,
 * its adapter and their database are killed again and again. What players were shown and every description are compared.
 */
export async function rehearseNotices(rehearsal: Rehearsal, plan: NoticesPlan) {
  return new Notices(rehearsal, plan).run()
}

class Notices {
  readonly #rehearsal: Rehearsal
  readonly #plan: NoticesPlan
  readonly #random: Random
  readonly #heroes: Hero[]
  readonly #sent: Sent[] = []
  readonly #games: RehearsalGame[] = []
  readonly #killed: Record<string, number> = {}
  readonly #wrongAnswers: string[] = []
  #adapter!: AdapterProcess
  #isOver = false

  constructor(rehearsal: Rehearsal, plan: NoticesPlan) {
    this.#rehearsal = rehearsal
    this.#plan = plan
    this.#random = seeded(plan.seed)
    const habits = ['online', 'online', 'moving', 'away'] as const
    this.#heroes = Array.from({ length: HEROES }, (_, index) => ({
      id: 1_000 + index,
      account: `hero${index}`,
      habit: habits[index % habits.length] ?? 'online',
    }))
  }

  async run() {
    const began = performance.now()
    const { database } = this.#rehearsal
    await emptyTables(database)
    await addHeroes(database, this.#heroes)
    this.#adapter = await openAdapterProcess(database, {
      limits: { name: { least: 5, most: 15, letters: 'a-z0-9' }, password: { least: 6, most: 30 } },
      heads: { 2: 'Áo xanh', 5: 'Áo đỏ' },
      classes: { 1: 'Kiếm' },
      items: [{ code: 'pet', name: 'Thú cưng', max: 99 }],
    })
    await this.#startGame()
    await this.#adapter.start()
    const description = new Description(this.#adapter.url)
    await description.begin()
    await this.#seeHalfLock(description)
    const moving = this.#heroes.filter(({ habit }) => habit === 'moving').map((hero) => this.#move(hero))
    const reading = this.#read(description)
    await Promise.all([this.#sendAll(), this.#killAll()])
    this.#isOver = true
    await Promise.all([...moving, reading])
    const overFull = await this.#openTooMany()
    for (const { account } of this.#heroes) await this.#game().enter(account)
    await this.#untilShown()
    await description.read()
    const shown = this.#shown()
    const { lost, marked } = await this.#unseen(shown)
    await this.#game().end()
    await this.#adapter.kill()
    const faults = {
      ...this.#wronglyShown(shown),
      lost,
      overFull,
      wrongAnswers: this.#wrongAnswers.length,
      wrongDescriptions: description.wrong.length,
    }
    return {
      ...this.#plan,
      stored: this.#sent.filter(({ isStored }) => isStored).length,
      shown: shown.length,
      expired: this.#sent.length - shown.length - marked,
      /** Marked as shown by what was killed before it could show them. */
      marked,
      latestMs: inMs(Math.max(0, ...this.#lateness(shown))),
      descriptions: description.count,
      killed: this.#killed,
      faults,
      wrong: [...this.#wrongAnswers, ...description.wrong].slice(0, 20),
      seconds: secondsSince(began),
      isClean: Object.values(faults).every((count) => count === 0) && shown.length > 0,
    }
  }

  #game = () => this.#games.at(-1) as RehearsalGame

  async #startGame(): Promise<void> {
    this.#games.push(await this.#rehearsal.startGame({ collectors: COLLECTORS }))
    for (const { account, habit } of this.#heroes) if (habit === 'online') await this.#game().enter(account)
  }

  /** Before anything is killed, so that it has to be told from then on. */
  async #seeHalfLock(description: Description): Promise<void> {
    await this.#game().fault('change-at-commit')
    await addClaim(this.#rehearsal.database, this.#heroes[0]?.id ?? 0, [luong(1)])
    for (const end = Date.now() + SETTLE_MS_MAX; !description.saysHalfLock; await sleep(100)) {
      if (Date.now() > end) throw new Error('the game does not tell that it saw half a lock')
      await description.read()
    }
  }

  async #read(description: Description): Promise<void> {
    for (; !this.#isOver; await sleep(50)) await description.read()
  }

  /** In and out, as quickly as the game answers. */
  async #move({ account }: Hero): Promise<void> {
    for (; !this.#isOver; await sleep(100 + this.#random.below(1_000))) {
      try {
        await this.#game().enter(account)
        await sleep(this.#random.below(2_000))
        await this.#game().leave(account)
      } catch {
        // The game or its database was just killed.
      }
    }
  }

  async #sendAll(): Promise<void> {
    const { showNotice } = openHttpGame({ url: this.#adapter.url, secret: SECRET })
    if (showNotice === undefined) throw new Error('the bridge shows no notices')
    const lane = async () => {
      while (this.#sent.length < this.#plan.notices) {
        await this.#send(showNotice)
        await sleep(this.#random.below(80))
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }

  /** As the portal does: the same again until it is stored, also while the first one is still under way. */
  async #send(showNotice: NonNullable<GameBridge['showNotice']>): Promise<void> {
    const { account } = this.#random.pick(this.#heroes)
    const ms = this.#random.below(2) === 0 ? LONG_MS : 500 + this.#random.below(4_000)
    const notice: Sent = {
      id: randomUUID(),
      account,
      text: `notice ${this.#sent.length}`,
      expiresAt: new Date(Date.now() + ms),
      isStored: false,
    }
    this.#sent.push(notice)
    const put = (text = notice.text) => showNotice({ ...notice, text })
    while (!notice.isStored) {
      const copies = this.#random.below(4) === 0 ? [put(), put()] : [put()]
      const answers = await Promise.allSettled(copies)
      notice.isStored = answers.some(({ status }) => status === 'fulfilled')
      for (const answer of answers) if (answer.status === 'rejected') this.#expectAway(answer.reason)
      if (!notice.isStored) await sleep(100)
    }
    if (this.#random.below(10) > 0) return
    const isTaken = await put('another text').then(
      () => true,
      () => false,
    )
    if (isTaken) this.#wrongAnswers.push(`another text was stored under the id of “${notice.text}”`)
  }

  /** Whatever is not stored is the database or the adapter that is away. */
  #expectAway(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    if (/HTTP [1-4]|HTTP 50[01]/.test(message)) this.#wrongAnswers.push(message)
  }

  async #killAll(): Promise<void> {
    const kinds = ['game', 'adapter', 'database', 'database frozen'] as const
    for (let count = 0; count < this.#plan.kills; count++) {
      await sleep(500 + this.#random.below(1_500))
      const kind = kinds[count % kinds.length] ?? 'game'
      await this.#kill(kind)
      this.#killed[kind] = (this.#killed[kind] ?? 0) + 1
    }
    await sleep(2_000)
  }

  async #kill(kind: 'game' | 'adapter' | 'database' | 'database frozen'): Promise<void> {
    const { database } = this.#rehearsal
    if (kind === 'game') {
      await this.#game().kill()
      return this.#startGame()
    }
    if (kind === 'adapter') {
      await this.#adapter.kill()
      return this.#adapter.start()
    }
    if (kind === 'database') {
      await database.kill()
      await sleep(this.#random.below(1_000))
      return database.start()
    }
    const [[file] = []] = await database.query('SELECT @@pid_file')
    const pid = Number(await readFile(file ?? '', 'utf8'))
    process.kill(pid, 'SIGSTOP')
    await sleep(FROZEN_MS)
    process.kill(pid, 'SIGCONT')
  }

  /** Accounts with more open notices than the contract keeps. */
  async #openTooMany(): Promise<number> {
    const rows = await this.#rehearsal.database.query(
      `SELECT account FROM portal_notice WHERE shown_at IS NULL AND expires_at > UTC_TIMESTAMP(3)
        GROUP BY account HAVING COUNT(*) > ${OPEN_MAX}`,
    )
    return rows.length
  }

  /** Until nothing is open: everybody is in the game. */
  async #untilShown(): Promise<void> {
    for (const end = Date.now() + SETTLE_MS_MAX; ; await sleep(200)) {
      const [row] = await this.#rehearsal.database.query(
        'SELECT COUNT(*) FROM portal_notice WHERE shown_at IS NULL AND expires_at > UTC_TIMESTAMP(3)',
      )
      // What is marked is shown a moment later.
      if (row?.[0] === '0') return void (await sleep(1_500))
      if (Date.now() > end) throw new Error(`${row?.[0]} notices are not shown:\n${this.#game().log()}`)
    }
  }

  #shown(): Shown[] {
    const lines = this.#games.flatMap((game) => [...game.log().matchAll(/^\[shown\] (\d+) (\S+) (.*)$/gm)])
    return lines.map(([, at, account = '', text = '']) => ({ at: Number(at), account, text }))
  }

  #lateness(shown: readonly Shown[]): number[] {
    const ends = new Map(this.#sent.map(({ text, expiresAt }) => [text, expiresAt.getTime()]))
    return shown.map(({ text, at }) => at - (ends.get(text) ?? 0))
  }

  #wronglyShown(shown: readonly Shown[]) {
    const sent = new Map(this.#sent.map((notice) => [notice.text, notice]))
    const times = countsOf(shown.map(({ text }) => text))
    return {
      twice: sum([...times.values()].map((count) => count - 1)),
      late: this.#lateness(shown).filter((ms) => ms > LATE_MS_MAX).length,
      toOthers: shown.filter(({ text, account }) => sent.get(text)?.account !== account).length,
    }
  }

  /** `lost`: more are marked without having been shown than kills can explain, each in the midst of one by each collector. */
  async #unseen(shown: readonly Shown[]): Promise<{ lost: number; marked: number }> {
    const rows = await this.#rehearsal.database.query(
      'SELECT text FROM portal_notice WHERE shown_at IS NOT NULL',
    )
    const seen = new Set(shown.map(({ text }) => text))
    const marked = rows.filter(([text]) => !seen.has(text ?? '')).length
    const kills = sum(Object.values(this.#killed)) - (this.#killed.adapter ?? 0)
    return { marked, lost: Math.max(0, marked - kills * COLLECTORS.length) }
  }
}
