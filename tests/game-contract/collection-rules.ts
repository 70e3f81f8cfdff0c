import { setTimeout as sleep } from 'node:timers/promises'
import { APPLIED, luong, to } from './bridge-rules.ts'
import {
  expectAnswer,
  expectGain,
  NotObservable,
  type Rule,
  type TestedGame,
  untilCollected,
} from './rule.ts'

const REPEATS = 3

async function applied(subject: TestedGame, quantity: number) {
  const delivery = to(subject, luong(quantity))
  expectAnswer('the delivery', await subject.game.deliver(delivery), APPLIED)
  const waited = await untilCollected(subject, delivery.id)
  if (waited === 'not known') throw new NotObservable('the game does not tell when goods are collected')
  return { delivery, waited }
}

/** Goods that the game has taken in reach their character, once, and whoever asks is told where they are. */
export const COLLECTION_RULES: Rule<TestedGame>[] = [
  {
    name: 'collects what it applied, or says why it waits',
    async check(subject) {
      const before = await subject.luong()
      const { delivery, waited } = await applied(subject, 1)
      if (waited === 'not collected') {
        const seconds = subject.collectMs / 1_000
        throw new Error(`applied, and after ${seconds} s neither collected nor waiting with a reason`)
      }
      await expectGain(subject, { before, gain: 1, from: [delivery] })
      const collection = await subject.game.collection?.(delivery.id)
      if (waited === 'collected') expectAnswer('a reason to wait', collection?.waiting, null)
    },
  },
  {
    name: 'gives collected goods once, also when the delivery is sent again',
    async check(subject) {
      const before = await subject.luong()
      const { delivery, waited } = await applied(subject, 2)
      if (waited !== 'collected') throw new NotObservable(`the goods are not collected (${waited})`)
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        expectAnswer('a repeat', await subject.game.deliver(delivery), APPLIED)
      }
      // What looks for goods to give has looked again.
      await sleep(subject.collectMs / 2)
      await expectGain(subject, { before, gain: 2, from: [delivery] })
    },
  },
  {
    name: 'refuses more than a character may hold, or lets it wait, and never loses it',
    async check(subject) {
      const described = await subject.game.describeGame?.({ accountsUntil: null })
      if (!described) throw new NotObservable('the game does not say how much a character may hold')
      const delivery = to(subject, luong(described.max.luong + 1))
      const outcome = await subject.game.deliver(delivery)
      if (outcome.kind === 'refused') return
      expectAnswer('the delivery', outcome, APPLIED)
      const waited = await untilCollected(subject, delivery.id)
      if (waited === 'over-limit') return
      if (waited === 'not known') throw new NotObservable('the game does not tell when goods are collected')
      throw new Error(`it was applied and is then ${waited} instead of waiting as over-limit`)
    },
  },
]
