export { checkCode, makeCode, spendCode, type CodeTarget } from './codes.service.ts'
