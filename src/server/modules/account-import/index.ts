export { importAccounts, namesInUse, planImport, personalImport } from './account-import.service.ts'
export { countOldPasswords, overwriteOldPasswords } from './old-passwords.service.ts'
export type { AccountSource, GameAccount, LeftBehind, Plan, Reason, WritableSource } from './import-source.ts'
export { underNewNames, type NewNames } from './new-names.ts'
