import { parseArgs, type ParseArgsConfig } from 'node:util'

/** What an option takes: a number, any other text, or nothing. */
type Kind = 'number' | 'text' | 'flag'
type ValueOf<Of extends Kind> = Of extends 'number' ? number : Of extends 'text' ? string : boolean

type Tool<Options extends Record<string, Kind>> = {
  /** Printed as it is for `--help`, and after the sentence about what is wrong. Its first line is the command. */
  usage: string
  options: Options
  /** Whether words without dashes are taken; of these only, where they are named. */
  words?: true | readonly string[]
  commandLine?: readonly string[]
}

/** What is wrong with a command line, for the person who wrote it. */
class WrongOption extends Error {}

/**
 * The command line of a tool. `--help` prints the usage and ends the process with 0; what the tool does not know, or a
 * number that is none, ends it with a sentence, the usage and 2.
 */
export function readOptions<const Options extends Record<string, Kind>>(
  tool: Tool<Options>,
): { values: { [Name in keyof Options]?: ValueOf<Options[Name]> }; words: string[] } {
  const { usage } = tool
  try {
    const { help, values, words } = parse(tool)
    if (help) {
      console.log(usage)
      process.exit(0)
    }
    return { values: values as { [Name in keyof Options]?: ValueOf<Options[Name]> }, words }
  } catch (error) {
    if (!(error instanceof WrongOption)) throw error
    endWithUsage(usage, error.message)
  }
}

/** For what only the tool itself can see to be wrong. */
export function endWithUsage(usage: string, sentence: string): never {
  console.error(`${sentence}\n\n${usage}`)
  process.exit(2)
}

function parse({ options, words = [], commandLine = process.argv.slice(2) }: Tool<Record<string, Kind>>) {
  const types = Object.entries(options).map(
    ([name, kind]) => [name, { type: kind === 'flag' ? 'boolean' : 'string' }] as const,
  )
  const { values, positionals } = understood({
    args: [...commandLine],
    allowPositionals: true,
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
  })
  const { help = false, ...given } = values
  const unknown = positionals.filter((word) => words !== true && !words.includes(word))
  if (!help && unknown.length > 0) {
    const known = words === true || words.length === 0 ? '' : `: there are ${words.join(', ')}`
    throw new WrongOption(`“${unknown.join(' ')}” is not known here${known}.`)
  }
  const read = Object.entries(given).map(([name, value]) => [
    name,
    options[name] === 'number' && !help ? numberOf(name, String(value)) : value,
  ])
  return { help, values: Object.fromEntries(read) as Record<string, unknown>, words: positionals }
}

function understood(config: ParseArgsConfig) {
  try {
    return parseArgs(config)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error
    // The first sentence; what follows is about how Node takes such words apart.
    throw new WrongOption(`${message.split('. ')[0]?.replace(/\.$/, '')}.`)
  }
}

function numberOf(name: string, text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || number < 0)
    throw new WrongOption(`--${name} takes a number, not “${text}”.`)
  return number
}
