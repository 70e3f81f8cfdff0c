export { registerChangePassword } from './change-password.routes.ts'
