import type {
  ActedCase,
  AnswerTemplate,
  operatorAnswerTemplates,
  OperatorCaseDetail,
  operatorCases,
} from '#contract/operator/help/cases.ts'
import { ANSWER_TEMPLATES_MAX } from '#contract/operator/help/cases.ts'
import { permissionsOf } from '#contract/operator/roles.ts'
import { paths } from '#contract/pages.ts'
import { findVerifiedAddress } from '#server/modules/accounts/index.ts'
import { actAsOperator, changeRow } from '#server/modules/audit/index.ts'
import { addNotice, queueMailWithNext } from '#server/modules/notices/index.ts'
import { lockTrader } from '#server/modules/traders/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { conflict, changedMeanwhile, invalidField, orNotFound } from '#server/platform/values/errors.ts'
import {
  findUnclosedCase,
  insertMessage,
  type LockedCase,
  lockCase,
  selectMessages,
  updateAssigned,
  updateState,
} from './cases.queries.ts'
import { assertWritable, type CasesDeps } from './cases.service.ts'
import { guessAccounts } from './visitor-cases.queries.ts'
import { type CaseLetters, mailVisitor } from './visitor-cases.service.ts'
import {
  countTemplates,
  deleteTemplate,
  findCase,
  findStaff,
  findUsername,
  insertTemplate,
  isTitleTaken,
  lockTemplate,
  updateTemplate,
} from './operator-cases.queries.ts'

export { lockCase } from './cases.queries.ts'
export {
  selectCases as listOperatorCases,
  selectTemplates as listTemplates,
} from './operator-cases.queries.ts'

export async function getOperatorCase(db: Db, id: string): Promise<OperatorCaseDetail> {
  const found = orNotFound(await findCase(db, id))
  const guesses = found.visitor === null ? [] : await guessAccounts(db, id)
  return { ...found, thread: await selectMessages(db, id), guesses }
}

const subject = (id: string) => ({ type: 'case', id })

/** An answer to the player, who is told by bell, and by mail at a proved address. A case that nobody has becomes the operator's. */
export async function answerCase(
  deps: CasesDeps,
  call: UserCall<typeof operatorCases.answer>,
): Promise<void> {
  const { userId: operatorId } = call.identity
  const { text } = call.body
  await actAsOperator(deps, call, {
    action: 'cases.answer',
    async work(tx) {
      const locked = orNotFound(await lockCase(tx, call.params.id))
      assertWritable(locked)
      const message = { caseId: locked.id, authorId: operatorId, isStaff: true, text, pictures: [] }
      const messageId = await insertMessage(tx, message)
      if (locked.assignedTo === null) await updateAssigned(tx, locked.id, operatorId)
      await tellAnswer(deps, tx, { locked, messageId, text })
      return {
        answer: null,
        audit: {
          subject: subject(locked.id),
          details: { before: locked.state, after: 'answered', user_id: locked.userId },
        },
      }
    },
  })
}

type Answered = { locked: LockedCase; messageId: string; text: string }

async function tellAnswer(deps: CasesDeps, tx: Tx, { locked, messageId, text }: Answered): Promise<void> {
  const { id, userId, about } = locked
  const { label, ...letter } = answerLetter(locked, text)
  if (userId === null) return mailVisitor(deps, tx, id, { ...letter, label })
  await addNotice(tx, userId, {
    event: 'case-answered',
    subject: messageId,
    data: { caseId: id, title: about.title },
  })
  // Only to an address the player has proved: another may be somebody else's.
  const address = await findVerifiedAddress(tx, userId)
  if (address === undefined) return
  await queueMailWithNext(deps.vault, tx, {
    kind: 'case-answered',
    to: address.email,
    username: address.username,
    ...letter,
    action: { label, url: deps.publicUrl + paths.help(id) },
  })
}

const answerLetter = ({ id, about }: LockedCase, text: string) => ({
  subject: `Yêu cầu hỗ trợ số ${id} đã có câu trả lời`,
  paragraphs: [`Về: ${about.title}.`, `Lời nhắn của đội hỗ trợ: ${text}`],
  label: 'Xem và trả lời',
})

/** Tells a visitor what operators did for them, in a case that takes another message. */
export async function answerVisitor(
  deps: CaseLetters,
  tx: Tx,
  { locked, operatorId, text }: { locked: LockedCase; operatorId: string; text: string },
): Promise<void> {
  await insertMessage(tx, { caseId: locked.id, authorId: operatorId, isStaff: true, text, pictures: [] })
  await mailVisitor(deps, tx, locked.id, answerLetter(locked, text))
}

const wrongAssignee = () =>
  invalidField('username', 'Không có người vận hành nào trả lời được yêu cầu với tên này')

/** Gives a case to an operator who may answer it, or takes it from whoever has it. */
export const assignCase = (deps: CasesDeps, call: UserCall<typeof operatorCases.assign>) =>
  actAsOperator<ActedCase>(deps, call, {
    action: 'cases.assign',
    async work(tx) {
      const { username } = call.body
      const staff = username === null ? null : await findStaff(tx, username)
      const mayAnswer = staff && permissionsOf(staff.roles).includes('cases.answer')
      if (username !== null && !mayAnswer) throw wrongAssignee()
      const locked = orNotFound(await lockCase(tx, call.params.id))
      const assigned = staff ? { id: staff.id, username: staff.username } : null
      await updateAssigned(tx, locked.id, assigned?.id ?? null)
      return {
        answer: { id: locked.id, state: locked.state, assigned_to: assigned },
        audit: {
          subject: subject(locked.id),
          details: { before: locked.assignedTo, after: assigned?.id ?? null, user_id: locked.userId },
        },
      }
    },
  })

const alreadyClosed = () => conflict('Yêu cầu này đã đóng rồi')
const notClosed = () => conflict('Yêu cầu này đang mở')
const reportedAgain = (id: string) => conflict(`Người chơi đã báo lại điều này ở yêu cầu số ${id}`)

const acted = async (
  tx: Tx,
  { id, assignedTo }: LockedCase,
  state: ActedCase['state'],
): Promise<ActedCase> => ({
  id,
  state,
  assigned_to: assignedTo === null ? null : { id: assignedTo, username: await findUsername(tx, assignedTo) },
})

export const closeCase = (deps: CasesDeps, call: UserCall<typeof operatorCases.close>) =>
  actAsOperator<ActedCase>(deps, call, {
    action: 'cases.close',
    async work(tx) {
      const locked = orNotFound(await lockCase(tx, call.params.id))
      if (locked.state === 'closed') throw alreadyClosed()
      await updateState(tx, locked.id, 'closed')
      if (locked.userId === null)
        await mailVisitor(deps, tx, locked.id, {
          subject: `Yêu cầu hỗ trợ số ${locked.id} đã đóng`,
          paragraphs: [`Về: ${locked.about.title}.`, 'Nếu vấn đề vẫn còn, hãy gửi một yêu cầu mới.'],
          label: 'Xem yêu cầu',
        })
      else
        await addNotice(tx, locked.userId, {
          event: 'case-closed',
          subject: `${locked.id} ${locked.messages}`,
          data: { caseId: locked.id, title: locked.about.title },
        })
      return { answer: await acted(tx, locked, 'closed'), audit: moved(locked, 'closed') }
    },
  })

/** Opens a closed case again: the player waits. */
export const reopenCase = (deps: CasesDeps, call: UserCall<typeof operatorCases.reopen>) =>
  actAsOperator<ActedCase>(deps, call, {
    action: 'cases.reopen',
    async work(tx) {
      const known = orNotFound(await findCase(deps.db, call.params.id))
      // Before the case, as where the player reports: then nobody opens another case about the same thing meanwhile.
      if (known.user_id !== null) await lockTrader(tx, known.user_id)
      const locked = orNotFound(await lockCase(tx, known.id))
      if (locked.state !== 'closed') throw notClosed()
      const other =
        locked.userId === null ? undefined : await findUnclosedCase(tx, locked.userId, locked.about)
      if (other !== undefined) throw reportedAgain(other)
      await updateState(tx, locked.id, 'open')
      return { answer: await acted(tx, locked, 'open'), audit: moved(locked, 'open') }
    },
  })

const moved = (locked: LockedCase, after: ActedCase['state']) => ({
  subject: subject(locked.id),
  details: { before: locked.state, after, user_id: locked.userId },
})

const titleTaken = () => invalidField('title', 'Đã có mẫu trả lời với tên này')
const tooManyTemplates = () =>
  conflict(`Chỉ giữ được ${ANSWER_TEMPLATES_MAX} mẫu, hãy xóa bớt mẫu không dùng`)

const TEMPLATE = 'answer-template'

export const createTemplate = (deps: PlatformDeps, call: UserCall<typeof operatorAnswerTemplates.create>) =>
  changeRow<AnswerTemplate>(deps, call, {
    action: 'answer-templates.create',
    type: TEMPLATE,
    async work(tx) {
      if ((await countTemplates(tx)) >= ANSWER_TEMPLATES_MAX) throw tooManyTemplates()
      const { title, text } = call.body
      const after = await insertTemplate(tx, { title, text })
      if (after === undefined) throw titleTaken()
      return { before: null, after }
    },
  })

export const changeTemplate = (deps: PlatformDeps, call: UserCall<typeof operatorAnswerTemplates.update>) =>
  changeRow<AnswerTemplate>(deps, call, {
    action: 'answer-templates.update',
    type: TEMPLATE,
    async work(tx) {
      const { title, text, updated_at } = call.body
      const before = orNotFound(await lockTemplate(tx, call.params.id))
      if (before.updated_at !== new Date(updated_at).toISOString()) throw changedMeanwhile(before)
      if (await isTitleTaken(tx, title, before.id)) throw titleTaken()
      return { before, after: await updateTemplate(tx, before.id, { title, text }) }
    },
  })

export const removeTemplate = (deps: PlatformDeps, call: UserCall<typeof operatorAnswerTemplates.remove>) =>
  changeRow<AnswerTemplate>(deps, call, {
    action: 'answer-templates.delete',
    type: TEMPLATE,
    async work(tx) {
      const before = orNotFound(await lockTemplate(tx, call.params.id))
      await deleteTemplate(tx, before.id)
      return { before, after: null }
    },
  })
