import { guardsIn, type ProgramGuard } from './guard.ts'

const DESK = 'src/server/modules/tournaments/desk'
const QUEUE = 'src/admin/features/tournaments/desk'

export const tournamentGuards: readonly ProgramGuard[] = [
  ...guardsIn(`${DESK}.service.ts`, `${DESK}.db.test.ts`, {
    'a referee changes the match that they saw':
      'if (!isAsSeen) throw matchChangedMeanwhile(toOperatorMatch(match.row))',
    'a plain result takes no later result back':
      'if (again.length > 0) throw correctedLater(match.position, again.length)',
    'a correction names what is played again':
      'if ([...again].sort().join() !== [...call.body.again].sort().join()) throw otherMatchesAgain(again)',
    'nobody is called while a tournament is paused': 'if (tournament.paused_at !== null) throw paused()',
    'the act is undone that the referee was shown':
      'if (call.body.number !== undefined && call.body.number !== last.number) throw nothingToUndo()',
    'both teams absent are a result': [
      'return is_void && team1_id !== null && team2_id !== null ? [1, 2] : []',
      'return []',
    ],
  }),
  ...guardsIn(`${QUEUE}-queue.ts`, [`${QUEUE}-queue.test.ts`, `${QUEUE}-sender.test.ts`], {
    'an act at the desk is repeated as it was sent': '  if (sent !== null) return sent\n',
    'an act upon a refused one is not sent': [
      'return isUpon ? { ...queued, refused: { message: unsent, present: refused.present } } : queued',
      'return queued',
    ],
  }),
]
