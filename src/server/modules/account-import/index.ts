export { importAccounts, namesInUse, planImport, personalImport } from './account-import.service.ts'
export type { AccountSource, GameAccount, LeftBehind, Plan, Reason } from './import-source.ts'
export { underNewNames, type NewNames } from './new-names.ts'
