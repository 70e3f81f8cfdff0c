export { queueMail } from './mail.service.ts'
export type { Mail } from './mail.ts'
