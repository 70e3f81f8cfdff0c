export {
  assertMayTrade,
  assertNotBanned,
  findTrader,
  findTraderByUsername,
  isBanned,
  lockTrader,
  lockTraders,
  type Trader,
} from './trader.service.ts'
