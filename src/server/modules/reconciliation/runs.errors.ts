import { Refusal } from '#server/platform/http/refusal.ts'

export const reconciliationRunning = () =>
  new Refusal('CONFLICT', { message: 'Một lần đối soát khác đang chạy. Vui lòng chờ kết quả.' })
