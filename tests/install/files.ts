/** The commands of a runbook by the word behind `sh`. */
export function blocksOf(text: string): Map<string, string> {
  const blocks = [...text.matchAll(/^ *```sh (\S+)\n([^]*?)^ *```$/gm)]
  return new Map(blocks.map(([, name = '', commands = '']) => [name, commands]))
}

export type Image = {
  /** The commands of its first stage, in the folder of the project. */
  builds: string[]
  /** Those of its last stage, as root in a Debian. */
  prepares: string[]
  user: string
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
    prepares: values(image, 'RUN'),
    user: values(image, 'USER')[0] ?? 'root',
    environment: Object.fromEntries(assignments.map((one) => one.split('=', 2) as [string, string])),
    entrypoint: JSON.parse(values(image, 'ENTRYPOINT')[0] ?? '') as string[],
    health: JSON.parse(/ CMD (\[.*\])$/.exec(values(image, 'HEALTHCHECK')[0] ?? '')?.[1] ?? '') as string[],
  }
}
