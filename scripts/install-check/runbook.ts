/** The commands of a runbook by the word behind `sh`. What is marked `root` belongs to a real machine. */
export function blocksOf(text: string): Map<string, string> {
  const blocks = [...text.matchAll(/^```sh (\S+)\n([^]*?)^```$/gm)]
  return new Map(
    blocks.filter(([, name]) => name !== 'root').map(([, name = '', commands = '']) => [name, commands]),
  )
}

/** The command line and environment of a systemd unit, with its folders moved. `specifiers` replaces %i and the like. */
export function unitOf(
  text: string,
  { specifiers, moved }: { specifiers: Record<string, string>; moved: Record<string, string> },
): { command: string[]; environment: Record<string, string> } {
  const values = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  // Split before the folders are moved, because theirs may have spaces.
  const words = (line: string) =>
    line.split(' ').map((word) => {
      const filled = word.replace(/%(\w)/g, (_, letter: string) => specifiers[letter] ?? '')
      return Object.entries(moved).reduce((now, [from, to]) => now.replace(from, to), filled)
    })
  const assignments = values('Environment').flatMap(words)
  return {
    command: values('ExecStart').flatMap(words),
    environment: Object.fromEntries(
      assignments.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
    ),
  }
}
