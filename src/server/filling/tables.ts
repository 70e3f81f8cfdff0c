import type { TableRows } from './copying.ts'
import { gameTables } from './game-tables.ts'
import { ledgerTables } from './ledger-tables.ts'
import { moneyInTables } from './money-in-tables.ts'
import type { Ground, Plan } from './plan.ts'
import { playerTables } from './player-tables.ts'
import { purchaseTables } from './purchase-tables.ts'

export const tablesOf = (plan: Plan, ground: Ground): TableRows[] => [
  ...ledgerTables(plan, ground),
  ...playerTables(plan, ground),
  ...moneyInTables(plan, ground),
  ...purchaseTables(plan, ground),
  ...gameTables(plan, ground),
]
