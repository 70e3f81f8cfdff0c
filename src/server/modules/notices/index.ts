export { registerNotices } from './notices.routes.ts'
export {
  addNotice,
  addReminder,
  mailBeside,
  noticePart,
  personalNotices,
  startNoticeJobs,
} from './notices.service.ts'
export type { Addressee, Mail } from '#server/modules/mail/index.ts'
