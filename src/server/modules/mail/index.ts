export {
  isMailWaiting,
  queueMail,
  queueMailWithNext,
  countWaitingMail,
  withdrawMails,
  personalMail,
} from './mail.service.ts'
export { openFileMailer, openSmtpMailer, tryMailServer, type Mailer } from './mail.client.ts'
export type { SmtpServer } from './mail.rules.ts'
export { type MailSender, startMailJobs } from './sending.service.ts'
export type { Addressee, Mail } from './mail-layout.ts'
