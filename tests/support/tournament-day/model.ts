import { type EnteredResult, matchOutcome, maxTeams, roundPoints } from '#contract/tournament-rules.ts'
import {
  type BracketMatch,
  firstRound,
  isDecided,
  newBracket,
  openRoundOf,
  playedAgain,
  wasPlayed,
  withResult,
} from '#server/modules/tournaments/bracket.rules.ts'
import { firstSides, roundsNeeded } from '#server/modules/tournaments/draw.rules.ts'

type Charge = { state: 'pending' | 'applied' | 'refused' | 'refunding' | 'refunded'; isTaken: boolean }

/** `captain`: the number of the player; null for a team that an operator entered. */
export type ModelTeam = {
  captain: number | null
  state: 'held' | 'admitted' | 'waiting' | 'withdrawn'
  isCheckedIn: boolean
  charges: Charge[]
}

export type Rules = { maxRound: number; fee: number; hasCheckIn: boolean }

/**
 * Registration as the rules have it, kept as lists: places in the order of arrival, a fee from each team with a place, all of
 * it given back to teams that do not play. Every act answers whether it is allowed.
 */
export class RegistrationModel {
  readonly teams: ModelTeam[] = []
  readonly luong: number[]
  phase: 'registering' | 'drawing' | 'drawn' | 'cancelled' = 'registering'
  readonly rules: Rules

  constructor(rules: Rules, luong: readonly number[]) {
    this.rules = rules
    this.luong = [...luong]
  }

  teamOf(player: number): ModelTeam | undefined {
    return this.teams.find(({ captain, state }) => captain === player && state !== 'withdrawn')
  }

  enter(count: number): void {
    for (let number = 0; number < count; number++)
      this.teams.push({ captain: null, state: 'admitted', isCheckedIn: false, charges: [] })
  }

  signUp(player: number): boolean {
    if (this.phase !== 'registering' || this.teamOf(player)) return false
    const team: ModelTeam = { captain: player, state: 'waiting', isCheckedIn: false, charges: [] }
    this.teams.push(team)
    if (this.#hasPlace()) this.#givePlace(team)
    return true
  }

  leave(player: number): boolean {
    const team = this.teamOf(player)
    if (!team || !this.#isOpen()) return false
    this.#putOut(team)
    this.#moveUp()
    return true
  }

  withdraw(team: ModelTeam | undefined): boolean {
    if (!team || team.state === 'withdrawn' || !this.#isOpen()) return false
    this.#putOut(team)
    this.#moveUp()
    return true
  }

  checkIn(player: number): boolean {
    const team = this.teamOf(player)
    if (!team || !this.rules.hasCheckIn || this.phase !== 'registering') return false
    team.isCheckedIn = true
    return true
  }

  pay(player: number): boolean {
    const team = this.teamOf(player)
    if (team?.state !== 'held' || !this.#isOpen()) return false
    if (team.charges.at(-1)?.state === 'refused') team.charges.push({ state: 'pending', isTaken: false })
    return true
  }

  /** What the game decides about all fees that wait for it, in the order in which they were asked for. */
  settleFees(): void {
    for (const team of this.teams) {
      for (const charge of team.charges) {
        const player = team.captain ?? 0
        const has = this.luong[player] ?? 0
        if (charge.state === 'refunding') {
          if (charge.isTaken) this.luong[player] = has + this.rules.fee
          charge.state = 'refunded'
        }
      }
    }
    for (const team of this.teams) {
      const charge = team.charges.at(-1)
      if (charge?.state !== 'pending') continue
      const player = team.captain ?? 0
      const has = this.luong[player] ?? 0
      charge.isTaken = has >= this.rules.fee
      charge.state = charge.isTaken ? 'applied' : 'refused'
      if (!charge.isTaken) continue
      this.luong[player] = has - this.rules.fee
      team.state = 'admitted'
    }
  }

  expire(player: number): boolean {
    const team = this.teamOf(player)
    if (team?.state !== 'held') return false
    this.#putOut(team)
    if (this.#isOpen()) this.#moveUp()
    return true
  }

  close(): boolean {
    if (this.phase !== 'registering') return false
    this.phase = 'drawing'
    if (this.rules.hasCheckIn) {
      for (const team of this.teams)
        if (team.captain !== null && !team.isCheckedIn && team.state !== 'withdrawn') this.#putOut(team)
    }
    this.#moveUp()
    return true
  }

  draw(): boolean {
    const playing = this.teams.filter(({ state }) => state === 'admitted')
    if (!this.#isOpen() || playing.length < 2) return false
    this.phase = 'drawn'
    for (const team of this.teams) if (team.state === 'held' || team.state === 'waiting') this.#putOut(team)
    return true
  }

  cancel(): boolean {
    if (this.phase === 'cancelled') return false
    this.phase = 'cancelled'
    for (const team of this.teams) this.#giveBack(team)
    return true
  }

  #isOpen = () => this.phase === 'registering' || this.phase === 'drawing'
  #isPlaced = ({ state }: ModelTeam) => state === 'held' || state === 'admitted'
  #hasPlace = () =>
    this.teams.filter(this.#isPlaced).length < (maxTeams(this.rules.maxRound) ?? Number.POSITIVE_INFINITY)

  #givePlace(team: ModelTeam): void {
    team.state = this.rules.fee > 0 ? 'held' : 'admitted'
    if (this.rules.fee > 0) team.charges.push({ state: 'pending', isTaken: false })
  }

  #moveUp(): void {
    for (const team of this.teams) {
      if (!this.#hasPlace()) return
      const mayMoveUp = this.phase === 'registering' || !this.rules.hasCheckIn || team.isCheckedIn
      if (team.state === 'waiting' && mayMoveUp) this.#givePlace(team)
    }
  }

  #giveBack(team: ModelTeam): void {
    for (const charge of team.charges)
      if (charge.state === 'pending' || charge.state === 'applied') charge.state = 'refunding'
  }

  #putOut(team: ModelTeam): void {
    team.state = 'withdrawn'
    this.#giveBack(team)
  }
}

type Desk = {
  matches: BracketMatch[]
  round: number
  isPaused: boolean
  isFinished: boolean
  /** By place: which were called, and who is there. */
  calls: Readonly<Record<string, { isCalled: boolean; present: readonly boolean[] }>>
}

const keyOf = ({ round, position }: BracketMatch) => `${round}.${position}`
const NOT_CALLED = { isCalled: false, present: [false, false] }

/** The matches of a drawn tournament and the acts of its referee, each of which can be taken back. */
export class DeskModel {
  desk: Desk
  readonly maxRound: number
  #done: Desk[] = []

  constructor(order: readonly (string | null)[]) {
    this.maxRound = roundsNeeded(order.length)
    const matches = newBracket(this.maxRound, firstSides(order))
    this.desk = { matches, round: firstRound(this.maxRound), isPaused: false, isFinished: false, calls: {} }
  }

  callOf(match: BracketMatch) {
    return this.desk.calls[keyOf(match)] ?? NOT_CALLED
  }

  get isLastRound(): boolean {
    return this.desk.round === this.maxRound + 1
  }

  get openMatches(): BracketMatch[] {
    return this.desk.matches.filter((match) => match.round === this.desk.round && !isDecided(match))
  }

  result(match: BracketMatch, result: EnteredResult): boolean {
    const after = this.#after(match, result)
    const isPlayable = match.round === this.desk.round && !match.sides.includes(null)
    if (this.desk.isFinished || !isPlayable || playedAgain(this.desk.matches, after, match).length > 0)
      return false
    this.#do({ matches: after })
    return true
  }

  /** The matches that a correction has played again, or null where it is refused. */
  correct(match: BracketMatch, result: EnteredResult): BracketMatch[] | null {
    const { matches, round, isFinished } = this.desk
    if (isFinished || match.round > round || !wasPlayed(match)) return null
    const after = this.#after(match, result)
    const corrected = after.find((one) => keyOf(one) === keyOf(match))
    if (match.round < round && !(corrected && isDecided(corrected))) return null
    this.#do({ matches: after, round: openRoundOf(after, round) })
    return playedAgain(matches, after, match)
  }

  call(match: BracketMatch): boolean {
    const isPlayable = match.round === this.desk.round && !match.sides.includes(null)
    if (this.desk.isFinished || this.desk.isPaused || !isPlayable || isDecided(match)) return false
    this.#do({ calls: { ...this.desk.calls, [keyOf(match)]: { isCalled: true, present: [false, false] } } })
    return true
  }

  present(match: BracketMatch, side: 1 | 2): boolean {
    if (this.desk.isFinished || match.round !== this.desk.round || match.sides.includes(null)) return false
    const { isCalled, present } = this.callOf(match)
    const now = present.map((one, index) => one || index === side - 1)
    this.#do({ calls: { ...this.desk.calls, [keyOf(match)]: { isCalled, present: now } } })
    return true
  }

  next(): boolean {
    if (this.desk.isFinished || this.isLastRound || this.openMatches.length > 0) return false
    this.#do({ round: this.desk.round + 1 })
    return true
  }

  pause(isPaused: boolean): boolean {
    if (this.desk.isFinished || this.desk.isPaused === isPaused) return false
    this.#do({ isPaused })
    return true
  }

  finish(): boolean {
    if (this.desk.isFinished || !this.isLastRound || this.openMatches.length > 0) return false
    this.#do({ isFinished: true, isPaused: false })
    return true
  }

  undo(): boolean {
    const before = this.#done.pop()
    if (before === undefined) return false
    this.desk = before
    return true
  }

  #after(match: BracketMatch, result: EnteredResult): BracketMatch[] {
    const outcome = matchOutcome(result, roundPoints(match.round, this.maxRound))
    if ('fault' in outcome) throw new Error(outcome.fault)
    return withResult(this.desk.matches, this.maxRound, { place: match, result, outcome })
  }

  #do(change: Partial<Desk>): void {
    this.#done.push(this.desk)
    const after = { ...this.desk, ...change }
    // Others are called again where the teams are others.
    const changed = after.matches.filter((match) => {
      const before = this.desk.matches.find((one) => keyOf(one) === keyOf(match))
      return before?.sides.join() !== match.sides.join()
    })
    const calls = Object.fromEntries(changed.map((match) => [keyOf(match), NOT_CALLED]))
    this.desk = { ...after, calls: { ...after.calls, ...calls } }
  }
}
