import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OpenMatter } from '#contract/accounts/personal-data.ts'
import { erasePerson, exportPerson, StillOpen } from '#server/modules/personal-data/index.ts'
import type { PortalDeps } from '../app/deps.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'

/** What has to be done first, by what is open; `count` is of rows, or TCoin. */
const FIRST: Record<OpenMatter, (count: number) => string> = {
  role: (count) => `they hold ${count} role(s): take them away with operator revoke`,
  balance: (count) =>
    `the wallet holds ${count} TCoin: pay them back, or add --with-balance to take them away`,
  debt: (count) => `they owe ${count} TCoin: settle the debt by an adjustment in the console`,
  order: (count) =>
    `${count} recharge order(s) wait for money: they expire by themselves, or are decided in the console`,
  delivery: (count) => `${count} delivery(ies) are on the way: wait, or end them in the console`,
  claim: (count) => `${count} claim(s) about a recharge are open: answer them in the console`,
  'bank-transfer': (count) =>
    `${count} bank transfer(s) of theirs are in review: decide about them in the console`,
  refund: (count) => `${count} refund(s) at MoMo have no answer yet: wait for it`,
  proposal: (count) => `${count} proposal(s) about them wait for a second person`,
  'tournament-fee': (count) => `${count} tournament fee(s) are being taken or given back: wait for the game`,
}

type Print = (line: string) => void

/** Erases a person; answers the exit code: 1 while something of them is open. */
export async function printErasure(
  deps: PortalDeps,
  request: { username: string; withBalance: boolean },
  print: Print,
): Promise<number> {
  try {
    const { alias, balanceTaken } = await erasePerson(deps, request)
    const taken = balanceTaken > 0 ? `, ${balanceTaken} TCoin of its wallet were taken away` : ''
    print(
      `the account is ${alias} now and names nobody${taken}; the game server and old backups keep their own copies`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof StillOpen)) throw error
    print(`${request.username} was not erased:`)
    for (const [matter, count] of Object.entries(error.matters))
      print(`  ${FIRST[matter as OpenMatter](count)}`)
    return 1
  }
}

/** Writes everything stored about a person to a new file that only its owner may read. */
export async function writeExport(
  { db, clock }: PortalDeps,
  { username, file }: { username: string; file: string },
): Promise<void> {
  const pieces = await exportPerson({ db, now: clock.now() }, username)
  let isOurs = false
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 }).on('open', () => void (isOurs = true))
  try {
    await pipeline(Readable.from(pieces), target)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!isOurs && code === 'EEXIST')
      throw new SetupProblem(`there is already something at ${file}; name another file`)
    if (!isOurs && code !== undefined)
      throw new SetupProblem(`${file} cannot be written (${code}); name another file`)
    // Half a file would seem complete.
    if (isOurs) await rm(file, { force: true })
    throw error
  }
}
