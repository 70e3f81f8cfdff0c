import { parseArgs } from 'node:util'
import { torture } from './torture.ts'

/** `npm run torture -- --seed N --seconds N [--kills N] [--players N]`: prints one JSON object last; exit 1 when unclean. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '30' },
    kills: { type: 'string', default: '5' },
    players: { type: 'string', default: '8' },
  },
})
const report = await torture({
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  kills: Number(values.kills),
  players: Number(values.players),
})
console.log(JSON.stringify(report, null, 2))
process.exitCode = report.isClean ? 0 : 1
