export {
  createOperatorAccount,
  countResetLink,
  endResetLink,
  mailResetLink,
  startPasswordJobs,
  personalPasswords,
} from './link-requests.service.ts'
export { LINK_MINUTES_MAX } from './passwords.mails.ts'
export { checkCurrentPassword } from './change-password.service.ts'
export { registerChangePassword, registerPasswordResets } from './resets.routes.ts'
