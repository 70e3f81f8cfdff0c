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

export type Image = {
  /** The commands of its first stage, in the folder of the project. */
  builds: string[]
  environment: Record<string, string>
  entrypoint: string[]
  health: string[]
}

/** What a Dockerfile of two stages does, for a machine without containers. */
export function readDockerfile(text: string): Image {
  const lines = text
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const second = lines.findLastIndex((line) => line.startsWith('FROM '))
  const values = (part: readonly string[], word: string) =>
    part.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  const image = lines.slice(second)
  const assignments = values(image, 'ENV').flatMap((line) => line.split(' '))
  return {
    builds: values(lines.slice(0, second), 'RUN'),
    environment: Object.fromEntries(assignments.map((one) => one.split('=', 2) as [string, string])),
    entrypoint: JSON.parse(values(image, 'ENTRYPOINT')[0] ?? '') as string[],
    health: JSON.parse(/ CMD (\[.*\])$/.exec(values(image, 'HEALTHCHECK')[0] ?? '')?.[1] ?? '') as string[],
  }
}
