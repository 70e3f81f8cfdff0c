export {
  askWhetherAccountsAreKept,
  findAccountsSentUntil,
  isNameInGame,
  personalGameAccount,
  recordAccountChange,
  startGameAccountJobs,
} from './game-accounts.service.ts'
