export { checkCode, makeCode, spendCode, type CodeTarget } from './codes.service.ts'
export { startOtpJobs } from './otp.jobs.ts'
export { registerOtp } from './otp.routes.ts'
export { sandboxSms } from './sandbox.service.ts'
