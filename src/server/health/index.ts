export { diagnose, examine } from './checkup.ts'
export { lineOf } from './finding.ts'
