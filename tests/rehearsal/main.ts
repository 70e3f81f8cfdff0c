import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { inTestRun } from '#scripts/test-run.ts'
import { rehearseCrowd } from './crowd.ts'
import { drill } from './drills.ts'
import { openRehearsal } from './game.ts'
import { rehearseNotices } from './notices.ts'
import { serveGame } from './serve.ts'

const USAGE = `npm run rehearsal -- [--claims N | --notices N] [--kills N] [--seed N]

Purchases collected and fees taken by a small Java game with PortalGame.java on a MariaDB of its own, in two processes that are killed again
and again, for players who are in the game, away, coming and leaving, with a full bag or at the largest number. Prints one
JSON object; exit code 1 when one of its faults is not 0.
  --notices N                              instead: notices for players, and the game's description of itself, while game,
                                           adapter and database are killed
  --drills [--seconds N] [--only <text>]   instead: purchases, messages and logins of a game in two shapes while tables are
                                           locked, its database stops, a backup runs …; one line each. Needs root
                                           and mysqldump (mariadb-client).
  --serve --portal <address>   instead: the game and its database, to connect by hand; secret in GAME_SERVER_SECRET`
const { values } = readOptions({
  usage: USAGE,
  options: {
    claims: 'number',
    notices: 'number',
    kills: 'number',
    seed: 'number',
    serve: 'flag',
    portal: 'text',
    drills: 'flag',
    seconds: 'number',
    only: 'text',
  },
})

async function rehearse(): Promise<void> {
  const rehearsal = await openRehearsal()
  try {
    const { claims = 2_000, notices, kills = 30, seed = Date.now() % 1_000_000 } = values
    const report =
      notices === undefined
        ? await rehearseCrowd(rehearsal, { claims, kills, seed })
        : await rehearseNotices(rehearsal, { notices, kills, seed })
    console.log(JSON.stringify(report, null, 2))
    process.exitCode = report.isClean ? 0 : 1
  } finally {
    await rehearsal.end()
  }
}

async function serve(): Promise<void> {
  const secret = process.env.GAME_SERVER_SECRET ?? ''
  if (values.portal === undefined || secret === '')
    endWithUsage(USAGE, '--serve takes --portal and the secret in GAME_SERVER_SECRET.')
  await serveGame({ portalUrl: values.portal, secret })
}

async function drillAll(): Promise<void> {
  const { seconds = 60, seed = Date.now() % 1_000_000, only } = values
  process.exitCode = (await drill({ seconds, seed, ...(only === undefined ? {} : { only }) })) ? 0 : 1
}

await inTestRun(values.drills ? drillAll : values.serve ? serve : rehearse)
