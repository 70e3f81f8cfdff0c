import { CallError } from '#client/call.ts'
import { NOT_SENT, SENT } from '#web/browser-call.ts'
import { outcomeCopy as copy, announce, showToast, type Announcement } from '#web/parts/outcomes/announce.ts'
import { navigate } from '#web/navigation.tsx'
import { paths } from '#contract/pages.ts'
import { closeSession, session } from '#web/session/session-store.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'

/** Where the result of a call is shown; decided only here. */
export type Outcome =
  | { show: 'nothing' }
  | { show: 'toast'; text: string }
  | { show: 'dialog'; kind: Announcement['kind']; lines: string[]; offer?: 'activate' | 'recharge' }
  | { show: 'expired-session' }

/** Another tab has signed in or out before a call was sent, or answered. */
const elsewhereCopy = {
  notSent:
    'Một thẻ khác của trình duyệt vừa đổi phiên đăng nhập, nên thao tác này chưa được gửi. Vui lòng xem lại tài khoản rồi thử lại',
  sent: 'Một thẻ khác của trình duyệt vừa đổi phiên đăng nhập. Thao tác đã gửi thuộc tài khoản trước, vui lòng đăng nhập lại tài khoản đó để xem kết quả',
} as const

type Envelope = { message?: string; report?: boolean; notify?: boolean }

export function outcomeOfAnswer(answer: unknown): Outcome {
  if (typeof answer !== 'object' || answer === null) return { show: 'nothing' }
  const { message, report, notify } = answer as Envelope
  const text = message || copy.defaultSuccess
  if (report) return { show: 'dialog', kind: 'success', lines: [text] }
  if (notify) return { show: 'toast', text }
  return { show: 'nothing' }
}

export function outcomeOfFailure(error: unknown): Outcome {
  if (!(error instanceof CallError)) return { show: 'toast', text: copy.defaultFailure }
  const { status, body } = error
  if (status === NOT_SENT || status === SENT)
    return { show: 'dialog', kind: 'failure', lines: messagesOf(error) }
  if (status === 401 || status === 403) return { show: 'expired-session' }
  if (!body || isBreakdown(status)) return { show: 'toast', text: copy.defaultFailure }
  if (body.report || body.errors) {
    return { show: 'dialog', kind: 'failure', lines: messagesOf(error), offer: offerFor(body.code) }
  }
  return { show: 'toast', text: body.message || copy.defaultFailure }
}

/** The messages of a refusal: the first of each field, else the one of the refusal itself. */
export function messagesOf(error: unknown): string[] {
  if (error instanceof CallError && error.status === NOT_SENT) return [elsewhereCopy.notSent]
  if (error instanceof CallError && error.status === SENT) return [elsewhereCopy.sent]
  if (!(error instanceof CallError) || !error.body || isBreakdown(error.status)) return [copy.defaultFailure]
  const fields = Object.values(error.body.errors ?? {}).flatMap(([first]) => (first ? [first] : []))
  if (fields.length > 0) return [...new Set(fields)]
  return [error.body.message || copy.defaultFailure]
}

/** A disabled feature (503) has a text of its own; any other failure of the server shows the default text. */
const isBreakdown = (status: number) => status >= 500 && status !== 503

export function reportAnswer(answer: unknown): void {
  show(outcomeOfAnswer(answer))
}

export function reportFailure(error: unknown): void {
  show(outcomeOfFailure(error))
}

/** A page's reads report only that the session has ended: the page itself shows what it could not load. */
export function reportReadFailure(error: unknown): void {
  const outcome = outcomeOfFailure(error)
  if (outcome.show === 'expired-session') show(outcome)
}

function show(outcome: Outcome): void {
  if (outcome.show === 'toast') showToast(outcome.text)
  if (outcome.show === 'dialog') {
    announce({ kind: outcome.kind, lines: outcome.lines, action: actionFor(outcome.offer) })
  }
  // While the token is still being verified, the verification decides; late answers of an ended session are ignored.
  if (outcome.show === 'expired-session' && session.get().status === 'player') expireSession()
}

function expireSession(): void {
  showToast(copy.sessionExpired)
  closeSession()
  void navigate(paths.login)
}

function offerFor(code: string): 'activate' | 'recharge' | undefined {
  if (code === 'NOT_ACTIVATED') return 'activate'
  return code === 'INSUFFICIENT_BALANCE' ? 'recharge' : undefined
}

function actionFor(offer: 'activate' | 'recharge' | undefined): Announcement['action'] {
  if (offer === 'activate') return { label: copy.activateNow, run: () => openModal('active') }
  if (offer === 'recharge') return { label: copy.rechargeNow, run: () => void navigate(paths.recharge) }
  return undefined
}
