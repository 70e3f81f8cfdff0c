export { activateWithin, type BalanceAnswer } from './activation.service.ts'
export { banMessage, playerErased } from './traders.errors.ts'
export {
  findNotifiedTrader,
  findTrader,
  findTraderByUsername,
  lockNotifiedTrader,
  lockTrader,
  type NotifiedTrader,
  type Trader,
} from './traders.queries.ts'
export { registerActivation } from './traders.routes.ts'
export {
  assertMayTrade,
  assertNotBanned,
  banPlayer,
  isBanned,
  lockTraders,
  TRADES_PER_PLAYER,
} from './traders.service.ts'
export { personalTrade } from './personal.queries.ts'
