export {
  type AccountsAnswer,
  askWhetherAccountsAreKept,
  findAccountsSentUntil,
  isNameInGame,
  personalGameAccount,
  recordAccountChange,
  startGameAccountJobs,
  resendAccounts,
} from './game-accounts.service.ts'
