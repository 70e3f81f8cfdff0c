export { registerCases, registerOperatorCases } from './cases.routes.ts'
export {
  answerCaseOfClaim,
  listCases,
  openCaseOfClaim,
  personalCases,
  startCaseJobs,
} from './cases.service.ts'
