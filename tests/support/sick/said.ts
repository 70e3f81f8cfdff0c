/** What is said of a set-up that is not sound. In every text `…` stands for anything. */
export type Said = {
  /** The name of doctor's finding, and how it begins: its level, the cause, the cure. */
  name: string
  diagnosed: string
  /** What a start says; null for one that goes on, and has set right what it can. */
  refused: string | null
  /** The body of `/readyz` of a portal that runs meanwhile: 200 with `ok`, else 503. Null where it is now the one and now the other. */
  ready: { status: string; reason?: string } | null
  /** Which fault rings. Alarms about changes and about a database that is away follow from `ready`. */
  fault?: string
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

const source = (pattern: string) => pattern.split('…').map(escaped).join('.*?')

/** Whether a text begins as that pattern says. */
export const saysIn = (pattern: string): RegExp => new RegExp(`^${source(pattern)}`)
export const saysAnywhere = (pattern: string): RegExp => new RegExp(source(pattern))

/** Of a start that fails, its sentence; of one that goes on, null. */
export const refusalIn = (refused: string | null): RegExp => (refused === null ? /^null$/ : saysIn(refused))

/** What rings of a portal that runs in such a set-up: the rule of deploy/alerts.yml, and its label. */
export function alarmsOf({ ready, fault }: Said): string[] {
  return [
    ...(ready?.status === 'read-only' ? [`DatabaseRefusesChanges ${ready.reason}`] : []),
    ...(ready?.status === 'unavailable' ? ['DatabaseAway'] : []),
    ...(fault === undefined ? [] : [`DatabaseFault ${fault}`]),
  ].toSorted()
}
