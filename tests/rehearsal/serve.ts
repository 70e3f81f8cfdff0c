import { createInterface } from 'node:readline'
import { addHeroes } from './claims.ts'
import { openRehearsal } from './game.ts'

/** Of every account, before it is imported. */
const PASSWORD = 'mat-khau-cu'

type Served = { portalUrl: string; secret: string }

/** The rehearsal game with the speed and the tables of a real one, driven by words on standard input until that ends. */
export async function serveGame({ portalUrl, secret }: Served): Promise<void> {
  const rehearsal = await openRehearsal({ hasPortalTables: false })
  try {
    const accounts = ['thunghiem', ...Array.from({ length: 19 }, (_, index) => `hero${index + 1}`)]
    await addHeroes(
      rehearsal.database,
      accounts.map((account, index) => ({ id: index + 1, account })),
    )
    await rehearsal.database.query(`UPDATE game_account SET password = '${PASSWORD}'`)
    const game = await rehearsal.startGame({ portalUrl, secret, collectMs: 3_000 })
    console.log(`The game runs. Its database: ${rehearsal.database.url}
Accounts: game_account (id, username, password, luong); characters: game_character (id, account_id, name, head, class_id, level, yen)
In it: thunghiem, hero1 to hero19, each with the password ${PASSWORD} to be imported
login <account> <password> · enter <account>, without the portal · leave <account> · show <account> · fill <account> <things> · disconnected · log; Ctrl-D ends`)
    for await (const line of createInterface({ input: process.stdin })) {
      const [name = '', ...words] = line.trim().split(/\s+/)
      if (name === 'log') console.log(game.log())
      else if (name !== '') console.log(await answerOf(game.call(name, ...withAddress(name, words))))
    }
    await game.end()
  } finally {
    await rehearsal.end()
  }
}

/** A login is from this machine. */
const withAddress = (name: string, words: string[]) => (name === 'login' ? [...words, '127.0.0.1'] : words)

async function answerOf(answer: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await answer)
  } catch (error) {
    return (error as Error).message
  }
}
