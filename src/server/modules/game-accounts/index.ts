export {
  askWhetherAccountsAreKept,
  findAccountsSentUntil,
  isNameInGame,
  personalGameAccount,
  recordAccountChange,
  startGameAccountJobs,
  tellAccountsAgain,
} from './game-accounts.service.ts'
