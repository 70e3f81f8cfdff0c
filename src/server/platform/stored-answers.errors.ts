import { Refusal } from './http/refusal.ts'

/** Its work was done and is not done again, but what was answered then is no longer known. */
export const answerErased = () =>
  new Refusal('KEY_REUSED', {
    message:
      'Yêu cầu này đã được thực hiện trước đây và kết quả không còn được lưu. Vui lòng xem lại lịch sử trước khi thực hiện lần nữa',
  })
