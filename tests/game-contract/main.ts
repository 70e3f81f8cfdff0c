import { endWithUsage, readOptions } from '#scripts/tool-options.ts'
import { checkContract, type ContractOptions } from './game-contract.ts'

const NEEDS = `npm run game-contract -- <url> --account <name> [--server 1] [--character <id>]

  <url>          where the game server listens, e.g. http://127.0.0.1:4000
  --account      an account of the game (in lower case) for tests; its character will be given luong and yen
  --server       the id of the server it plays on; 1 when left out
  --character    one of its characters; the first one when left out
  GAME_SERVER_SECRET, in the environment: the secret that signs the portal's calls (the new one, if there are two)

Best with an account that is in the luong ranking, whose character is in the game: then the rules also see what it really
got. Exit code 1 when a rule is broken, 2 when the game server could not be tested.`

function options(): ContractOptions {
  const { words, values } = readOptions({
    usage: NEEDS,
    options: { account: 'text', server: 'text', character: 'text' },
    words: true,
  })
  const [url] = words
  const secret = process.env.GAME_SERVER_SECRET?.split(',')[0]?.trim()
  if (url === undefined || !URL.canParse(url))
    endWithUsage(NEEDS, 'The address of the game server is missing.')
  if (!values.account) endWithUsage(NEEDS, 'The account is missing: --account <name>.')
  if (!secret) endWithUsage(NEEDS, 'GAME_SERVER_SECRET is not set.')
  const { account, server: serverId = '1', character } = values
  return { url, secret, serverId, account, ...(character === undefined ? {} : { characterId: character }) }
}

const SIGNS = { kept: '✓', broken: '✗', 'not-seen': '–' }

try {
  const outcomes = await checkContract(options(), ({ rule, outcome, why }) =>
    console.log(`${SIGNS[outcome]} ${rule}${why === null ? '' : `\n    ${why}`}`),
  )
  const count = (kind: string) => outcomes.filter(({ outcome }) => outcome === kind).length
  console.log(`\n${count('kept')} kept, ${count('broken')} broken, ${count('not-seen')} not seen`)
  process.exitCode = count('broken') > 0 ? 1 : 0
} catch (error) {
  console.error(
    `The game server could not be tested: ${error instanceof Error ? error.message : String(error)}`,
  )
  process.exitCode = 2
}
