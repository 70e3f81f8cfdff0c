import { setTimeout as sleep } from 'node:timers/promises'
import type { Machine } from './machine.ts'
import type { Member, PatroniCluster } from './patroni.ts'

export type Fault = { name: string; run(cluster: PatroniCluster): Promise<void> }

const PAUSE_MS = 40_000
const ETCD_AWAY_MS = 60_000
/** Longer than Patroni's ttl, after which the standby takes over. */
const MACHINE_AWAY_MS = 45_000
/** Of a line whose loss replaces nobody. */
const LINE_AWAY_MS = 15_000

const inSeconds = (ms: number) => `${ms / 1_000} s`

const killed = (how: string, awayMs: number): Fault => ({
  name: `primary kill -9, ${how}`,
  async run({ healed }) {
    const primary = await healed()
    await primary.machine.powerOff()
    await sleep(awayMs)
    primary.powerOn()
  },
})

const switched: Fault = {
  name: 'switchover',
  async run({ healed, switchOver }) {
    switchOver(await healed())
  },
}

const etcdAway: Fault = {
  name: `etcd away for ${inSeconds(ETCD_AWAY_MS)}`,
  async run({ machines }) {
    await Promise.all(machines.map(({ killEtcd }) => killEtcd()))
    await sleep(ETCD_AWAY_MS)
    for (const machine of machines) machine.startEtcd()
  },
}

const paused: Fault = {
  name: `primary paused for ${inSeconds(PAUSE_MS)} and resumed`,
  async run({ healed }) {
    const { machine } = await healed()
    machine.pause()
    await sleep(PAUSE_MS)
    machine.resume()
  },
}

/** All machines it talks to; null is the portal's. */
const othersThan = ({ machines }: PatroniCluster, machine: Machine): (Machine | null)[] => [
  ...machines.map((one) => one.machine).filter((one) => one !== machine),
  null,
]

type Ends = { primary: Machine; others(cluster: PatroniCluster, primary: Member): (Machine | null)[] }
type Way = 'to' | 'from' | 'both'

/** A cut between the primary and others, in one direction or both; what it cannot reach goes on, as it does itself. */
function cuts(name: string, awayMs: number, others: Ends['others']): Fault[] {
  const words: Record<Way, string> = {
    from: `the primary's way to ${name}`,
    to: `the way of ${name} to the primary`,
    both: `both ways between the primary and ${name}`,
  }
  return (Object.keys(words) as Way[]).map((way) => ({
    name: `${words[way]} cut for ${inSeconds(awayMs)}`,
    async run(cluster) {
      const primary = await cluster.healed()
      const { network } = cluster
      const lines = others(cluster, primary).flatMap((other): [Machine | null, Machine | null][] => [
        ...(way === 'to' ? [] : [[primary.machine, other] as [Machine, Machine | null]]),
        ...(way === 'from' ? [] : [[other, primary.machine] as [Machine | null, Machine]]),
      ])
      for (const [from, to] of lines) network.cut(from, to)
      await sleep(awayMs)
      for (const [from, to] of lines) network.mend(from, to)
    },
  }))
}

const networkCuts: Fault[] = [
  ...cuts('the portal', LINE_AWAY_MS, () => [null]),
  ...cuts('the standby', LINE_AWAY_MS, ({ otherThan }, primary) => [otherThan(primary).machine]),
  // The portal reaches both sides: PgBouncer leads to the old one still, the rest to the new one.
  ...cuts('etcd and the standby', MACHINE_AWAY_MS, (cluster, { machine }) =>
    othersThan(cluster, machine).filter((one) => one !== null),
  ),
  ...cuts('everything', MACHINE_AWAY_MS, (cluster, { machine }) => othersThan(cluster, machine)).slice(-1),
]

type Wanted = { isStrict: boolean; pauses: number; only: string }

export const faultsOf = ({ isStrict, pauses, only }: Wanted): Fault[] =>
  [
    ...(isStrict
      ? [
          killed('back at once', 0),
          killed(`back after ${inSeconds(MACHINE_AWAY_MS)}`, MACHINE_AWAY_MS),
          switched,
          etcdAway,
          ...networkCuts,
        ]
      : []),
    ...Array.from({ length: pauses }, () => paused),
  ].filter(({ name }) => name.includes(only))
