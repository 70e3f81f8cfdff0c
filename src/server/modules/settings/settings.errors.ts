import type { OperatorSetting } from '#contract/operator/setting-calls.ts'
import { Refusal } from '#server/platform/http/refusal.ts'

export const mixedSections = () =>
  new Refusal('VALIDATION', {
    message: 'Mỗi lần chỉ thay đổi cài đặt của một mục, hãy lưu từng mục',
    errors: { values: ['Mỗi lần chỉ thay đổi cài đặt của một mục, hãy lưu từng mục'] },
  })

export const staleSettings = (settings: readonly OperatorSetting[]) =>
  new Refusal('CONFLICT', {
    message: 'Người khác vừa thay đổi cài đặt này. Hãy xem giá trị hiện tại rồi lưu lại',
    present: { settings },
  })
