import { browserGuards } from './browsers.ts'
import { gameAdapterGuards } from './game-adapter.ts'
import { gameJavaGuards } from './game-java.ts'
import { goodsAndPaymentGuards } from './goods-and-payments.ts'
import type { ProgramGuard } from './guard.ts'
import { helpGuards } from './help.ts'
import { htmlGuards } from './html.ts'
import { moneyGuards } from './money.ts'
import { noticeGuards } from './notices.ts'
import { notificationGuards } from './notifications.ts'
import { operatorActGuards } from './operator-acts.ts'
import { peopleGuards } from './people.ts'
import { proofGuards } from './proofs.ts'
import { tournamentGuards } from './tournaments.ts'
import { trafficGuards } from './traffic.ts'

export const PROGRAM_GUARDS: readonly ProgramGuard[] = [
  ...moneyGuards,
  ...goodsAndPaymentGuards,
  ...peopleGuards,
  ...operatorActGuards,
  ...tournamentGuards,
  ...proofGuards,
  ...htmlGuards,
  ...trafficGuards,
  ...helpGuards,
  ...noticeGuards,
  ...notificationGuards,
  ...gameAdapterGuards,
  ...gameJavaGuards,
  ...browserGuards,
]
