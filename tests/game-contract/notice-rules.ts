import { randomUUID } from 'node:crypto'
import { expectAnswer, NotObservable, type Rule } from './rule.ts'
import { expectClientError, send, type WireSubject } from './wire-rules.ts'

const TEXT_MAX = 200
const HOUR_MS = 3_600_000

/** Nobody plays an account of this name: nobody is shown what is only tried. */
const aNotice = () => ({
  account: 'hop-dong-thu',
  text: 'Mã của bạn: 123456',
  expires_at: new Date(Date.now() + HOUR_MS).toISOString(),
})

const put = async (subject: WireSubject, id: string, body: object, signing?: Parameters<typeof send>[2]) => {
  const call = { method: 'PUT' as const, path: `/v1/notices/${id}`, body: JSON.stringify(body) }
  return send(subject, call, signing)
}

/** Whether the game says that it shows notices. */
async function isSaid(subject: WireSubject): Promise<boolean> {
  const { status, body } = await send(subject, { method: 'GET', path: '/v1/game' })
  return status === 200 && body?.notices === true
}

async function expectShown(subject: WireSubject): Promise<void> {
  if (!(await isSaid(subject))) throw new NotObservable('the game shows no notices')
}

const STORED = [200, { status: 'stored' }]

export const NOTICE_RULES: Rule<WireSubject>[] = [
  {
    name: 'says that it shows notices exactly if it does',
    async check(subject) {
      const said = await isSaid(subject)
      const { status } = await put(subject, randomUUID(), aNotice())
      expectAnswer('PUT /v1/notices/{id}', status, said ? 200 : 404)
      if (!said) throw new NotObservable('the game shows no notices')
    },
  },
  {
    name: 'stores a notice once, and no other under its id',
    async check(subject) {
      await expectShown(subject)
      const id = randomUUID()
      const notice = aNotice()
      for (const { status, body } of await Promise.all([1, 2].map(() => put(subject, id, notice))))
        expectAnswer('a notice and its repeat', [status, body], STORED)
      for (const other of [{ text: 'Mã của bạn: 654321' }, { account: 'hop-dong-hai' }]) {
        const { status } = await put(subject, id, { ...notice, ...other })
        expectAnswer('another notice under its id', status, 409)
      }
      const again = await put(subject, id, notice)
      expectAnswer('the first one again', [again.status, again.body], STORED)
    },
  },
  {
    name: 'takes no notice that it cannot show, and none that is not signed',
    async check(subject) {
      await expectShown(subject)
      const wrong = [{ text: '' }, { text: 'a'.repeat(TEXT_MAX + 1) }, { expires_at: 'mai' }, { account: '' }]
      for (const change of wrong) {
        const answer = await put(subject, randomUUID(), { ...aNotice(), ...change })
        expectClientError(`a notice with ${JSON.stringify(change).slice(0, 40)}`, answer)
      }
      const { status } = await put(subject, randomUUID(), aNotice(), { header: null })
      expectAnswer('an unsigned notice', status, 401)
    },
  },
]
