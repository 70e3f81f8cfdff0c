import { conflict } from '#server/platform/values/errors.ts'

export const anotherWaits = () =>
  conflict('Một thay đổi khác của mục này đang chờ, hãy quyết định thay đổi đó trước')

export const alreadyDecided = () => conflict('Đề xuất này đã được quyết định, vui lòng tải lại trang')

export const ownProposal = () =>
  conflict('Người đề xuất không thể tự duyệt hay bác đề xuất của mình; bạn có thể rút lại')

export const alreadyAgreed = () =>
  conflict('Bạn đã đồng ý với đề xuất này; những người còn lại đang được hỏi')

const WHY_ONE_PERSON = {
  granted:
    'Bạn và người đề xuất nhận vai trò từ nhau hoặc từ cùng một người trong 7 ngày qua, nên chưa được coi là người thứ hai',
  phone:
    'Tài khoản của bạn và của người đề xuất dùng hoặc từng dùng chung số điện thoại, nên không được coi là người thứ hai',
  secret:
    'Tài khoản của bạn và của người đề xuất dùng chung mã xác thực hai lớp, nên không được coi là người thứ hai',
} as const

export type WhySamePerson = keyof typeof WHY_ONE_PERSON

export const samePerson = (why: WhySamePerson) => conflict(WHY_ONE_PERSON[why])

export const othersProposal = () => conflict('Chỉ người đề xuất mới có thể rút lại')

export const outdatedProposal = () =>
  conflict(
    'Giá trị đã thay đổi hoặc giờ hẹn đã qua từ khi đề xuất nên không thể duyệt, hãy bác và đề xuất lại',
  )
