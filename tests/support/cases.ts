import type { ReportedKind } from '#contract/help/case-forms.ts'
import type { Case } from '#contract/help/cases.ts'
import type { VisitorCase } from '#contract/help/visitor-cases.ts'
import type { OperatorCaseDetail } from '#contract/operator/help/cases.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestAnswer, TestApp } from './app.ts'
import { anOrder } from './bank.ts'
import { lettersTo, verifiedCode } from './mail.ts'
import type { TestOperator } from './operators.ts'
import { anAddress, type TestPlayer } from './players.ts'
import { formOf, partsOf } from './uploads.ts'

type Caller = Pick<TestApp, 'call'>
type Player = Pick<TestPlayer, 'token'>

type Sending = { text?: string; pictures?: readonly Buffer[]; key?: string; from?: string }

function send(portal: Caller, { token }: Player, path: string, sending: Sending & { fields: object }) {
  const { text = 'Tôi chưa nhận được lượng', pictures = [], key, fields, from } = sending
  const files = pictures.map((value) => ({
    name: 'pictures',
    value,
    filename: 'anh.jpg',
    type: 'image/jpeg',
  }))
  const form = formOf([...partsOf({ ...fields, text }), ...files])
  return portal.call('POST', path, { token, ...form, key, from })
}

/** Reports a problem as the site does. */
export const sendCase = (
  portal: Caller,
  player: Player,
  { kind, id, ...sending }: Sending & { kind: ReportedKind; id?: string },
): Promise<TestAnswer> =>
  send(portal, player, '/api/cases', {
    ...sending,
    fields: { about_kind: kind, ...(id === undefined ? {} : { about_id: id }) },
  })

/** Writes in a case as the site does. */
export const sendMessage = (
  portal: Caller,
  player: Player,
  { id, ...sending }: Sending & { id: string },
): Promise<TestAnswer> => send(portal, player, `/api/cases/${id}/messages`, { ...sending, fields: {} })

/** A case about a new order of the player. */
export async function aCase(portal: TestApp, player: TestPlayer, sending: Sending = {}): Promise<Case> {
  const { code } = await anOrder(portal, player)
  const answer = await sendCase(portal, player, { kind: 'order', id: code, ...sending })
  invariant(answer.status === 201, `a case is opened: ${JSON.stringify(answer.body)}`)
  return answer.body as Case
}

/** A case of somebody who cannot sign in, with a phone or an address that they have proved. */
export async function aVisitorCase(
  portal: TestApp,
  contact: { phone: string } | { email: string },
  text = 'Tôi quên mật khẩu, game cũng không vào được',
): Promise<VisitorCase> {
  const from = anAddress()
  const code =
    'phone' in contact ? await verifiedCode(portal, contact.phone) : await mailed(contact.email, from)
  const body = { about_kind: 'sign-in', text, ...contact, code }
  const answer = await portal.call('POST', '/api/help/cases', { body, from })
  invariant(answer.status === 201, `a visitor's case is opened: ${JSON.stringify(answer.body)}`)
  return answer.body as VisitorCase

  async function mailed(email: string, address: string): Promise<string> {
    await portal.call('POST', '/api/help/send-otp', { body: { email }, from: address })
    return (await lettersTo(portal, email)).at(-1)?.code ?? ''
  }
}

/** An operator's act on a case, and its answer. */
export const onCase = (portal: Caller, { token }: Pick<TestOperator, 'token'>, path: string, body: object) =>
  portal.call('POST', `/api/operator/cases/${path}`, { token, body: { reason: 'Người chơi hỏi', ...body } })

export async function readCase(
  portal: Caller,
  { token }: Pick<TestOperator, 'token'>,
  id: string,
): Promise<OperatorCaseDetail> {
  return (await portal.call('GET', `/api/operator/cases/${id}`, { token })).body as OperatorCaseDetail
}
