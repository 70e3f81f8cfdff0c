export { checkCode, makeCode, spendCode, type CodeTarget } from './codes.service.ts'
export { CODE_AGE_MINUTES_MAX } from './codes.rules.ts'
