export {
  createOperatorAccount,
  countResetLink,
  mailResetLink,
  startPasswordJobs,
  LINK_MINUTES_MAX,
  personalPasswords,
} from './link-requests.service.ts'
export { checkCurrentPassword } from './change-password.service.ts'
export { registerChangePassword, registerPasswordResets } from './resets.routes.ts'
