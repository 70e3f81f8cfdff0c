import { expect, test } from 'vitest'
import type { ErrorCode, RefusalBody } from '#contract/errors.ts'
import { getOrder } from '#contract/recharge.ts'
import { CallError, createCall } from '#client/call.ts'
import { messagesOf, outcomeOfAnswer, outcomeOfFailure } from '#web/parts/outcomes/report-outcome.ts'

const DEFAULT_TEXT = 'Có lỗi xảy ra, vui lòng thử lại'

function refused(status: number, body: Partial<RefusalBody> & { code: ErrorCode }): CallError {
  return new CallError(status, { message: 'Câu của máy chủ', requestId: 'r', ...body })
}

test.each([401, 403])('a %i ends the session', (status) => {
  expect(outcomeOfFailure(refused(status, { code: 'UNAUTHENTICATED' }))).toEqual({ show: 'expired-session' })
  expect(outcomeOfFailure(new CallError(status, null))).toEqual({ show: 'expired-session' })
})

test('a refusal with the report flag opens the failure dialog with its own sentence', () => {
  expect(outcomeOfFailure(refused(422, { code: 'BANNED', report: true }))).toEqual({
    show: 'dialog',
    kind: 'failure',
    lines: ['Câu của máy chủ'],
    offer: undefined,
  })
})

test('a message that requires a report opens the failure dialog also without a code', async () => {
  const call = createCall(async () => ({ status: 422, text: '{"message":"Câu của máy chủ","report":true}' }))
  const error: unknown = await call(getOrder, { params: { code: 'X' } }).catch((reason: unknown) => reason)
  expect(outcomeOfFailure(error)).toMatchObject({ show: 'dialog', lines: ['Câu của máy chủ'] })
})

test('a refusal with the notify flag, or with none, is a toast with its own sentence', () => {
  const toast = { show: 'toast', text: 'Câu của máy chủ' }
  expect(outcomeOfFailure(refused(422, { code: 'LIMIT_EXCEEDED', notify: true }))).toEqual(toast)
  expect(outcomeOfFailure(refused(404, { code: 'NOT_FOUND' }))).toEqual(toast)
})

test('field errors show the first message of each field in the failure dialog, each once', () => {
  const error = refused(422, {
    code: 'VALIDATION',
    errors: { payee: ['Tối thiểu 5 ký tự', 'khác'], amount: ['Số tiền phải là số nguyên'], note: [] },
  })
  expect(outcomeOfFailure(error)).toMatchObject({
    show: 'dialog',
    lines: ['Tối thiểu 5 ký tự', 'Số tiền phải là số nguyên'],
  })
  const twice = refused(422, {
    code: 'VALIDATION',
    errors: { a: ['Không được bỏ trống'], b: ['Không được bỏ trống'] },
  })
  expect(messagesOf(twice)).toEqual(['Không được bỏ trống'])
})

test.each([
  ['no answer', new CallError(0, null)],
  ['a page of some proxy', new CallError(422, null)],
  ['a broken server', refused(500, { code: 'INTERNAL', report: true })],
  ['a bug of our own', new TypeError('x is not a function')],
])('%s is a toast with the default text', (_what, error) => {
  expect(outcomeOfFailure(error)).toEqual({ show: 'toast', text: DEFAULT_TEXT })
  expect(messagesOf(error)).toEqual([DEFAULT_TEXT])
})

test('a feature that is switched off has a message of its own', () => {
  expect(outcomeOfFailure(refused(503, { code: 'DISABLED' }))).toEqual({
    show: 'toast',
    text: 'Câu của máy chủ',
  })
})

test('an account that is not activated, or too poor, gets a link to the next step', () => {
  expect(outcomeOfFailure(refused(422, { code: 'NOT_ACTIVATED', report: true }))).toMatchObject({
    offer: 'activate',
  })
  expect(outcomeOfFailure(refused(422, { code: 'INSUFFICIENT_BALANCE', report: true }))).toMatchObject({
    offer: 'recharge',
  })
})

test('an answer shows a dialog, a toast or nothing, as its flags require', () => {
  expect(outcomeOfAnswer({ message: 'Xong', report: true })).toEqual({
    show: 'dialog',
    kind: 'success',
    lines: ['Xong'],
  })
  expect(outcomeOfAnswer({ report: true })).toMatchObject({ lines: ['Thực hiện thành công'] })
  expect(outcomeOfAnswer({ message: 'Xong', notify: true })).toEqual({ show: 'toast', text: 'Xong' })
  expect(outcomeOfAnswer({ message: 'Xong' })).toEqual({ show: 'nothing' })
  expect(outcomeOfAnswer([])).toEqual({ show: 'nothing' })
  expect(outcomeOfAnswer(undefined)).toEqual({ show: 'nothing' })
})
