import { sql } from 'kysely'
import { mailEnvironment, startMailServer, type MailServer } from '#tests/support/mail-server.ts'
import type { FaultRun } from '../faults/fault.ts'
import { openProxy, type Proxy } from '../../harness/proxy.ts'
import { away, type Outage } from './outage.ts'

/** The mail server refuses, then never answers; the mails about each credit come afterwards, each once. */
export function mailAway(): Outage {
  let server: MailServer
  let proxy: Proxy
  let due: string[] = []
  const lettersOf = (code: string) => server.letters.filter(({ text }) => text?.includes(code)).length
  return {
    name: 'the mail server is away',
    needs: {
      async outside(cleanup) {
        server = await startMailServer()
        cleanup.defer(() => server.close())
        proxy = await openProxy(server.port, 'any')
        cleanup.defer(() => proxy.close())
        return mailEnvironment({ url: `smtp://127.0.0.1:${proxy.port}` })
      },
    },
    // Tried again after one minute, and after two more.
    madeUpSecondsMax: 240,
    async prepare({ world, actors }) {
      await sql`
        INSERT INTO user_contacts (user_id, email, email_verified_at)
        SELECT id, username || '@thu.test', now() FROM users
         WHERE username = ANY (${actors.map(({ username }) => username)})
        ON CONFLICT (user_id) DO UPDATE
          SET email = excluded.email, email_verified_at = excluded.email_verified_at`.execute(world.db)
    },
    async apply(run, ms) {
      const before = run.load.confirmed.length
      await away(proxy, ms)
      due = creditsSince(run, before)
      run.note('mails due', due.length)
    },
    async isMadeUp({ note, wrong }) {
      if (due.some((code) => lettersOf(code) === 0)) return false
      note('mails sent twice', due.filter((code) => lettersOf(code) > 1).length)
      if (due.length === 0) wrong('no mail was due meanwhile')
      return true
    },
  }
}

const creditsSince = ({ load }: FaultRun, before: number) =>
  load.confirmed.slice(before).flatMap((confirmed) => (confirmed.act === 'recharge' ? [confirmed.code] : []))
