export { registerCases, registerOperatorCases } from './cases.routes.ts'
export { answerVisitor, lockCase } from './operator-cases.service.ts'
export { type CaseLetters, findVisitor } from './visitor-cases.service.ts'
export {
  answerCaseOfClaim,
  listCases,
  openCaseOfClaim,
  personalCases,
  startCaseJobs,
} from './cases.service.ts'
