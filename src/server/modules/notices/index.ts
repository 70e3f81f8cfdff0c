export { registerNotices } from './notices.routes.ts'
export {
  addNotice,
  addNotices,
  addReminder,
  findNotices,
  foundNoticesPart,
  noticePart,
  personalNotices,
} from './notices.service.ts'
export { startNoticeJobs } from './digest.service.ts'
/** Mails about the event of a notice, which no preference turns off, go beside it. */
export { queueMailWithNext, withdrawMails, type Addressee, type Mail } from '#server/modules/mail/index.ts'
