/** The commands of a runbook by the word behind `sh`, those within a numbered step too. */
export function stepsOf(text: string): (name: string) => string {
  const blocks = new Map(
    [...text.matchAll(/^ *```sh (\S+)\n([^]*?)^ *```$/gm)].map(([, name = '', commands = '']) => [
      name,
      commands,
    ]),
  )
  return (name) => {
    const commands = blocks.get(name)
    if (commands === undefined) throw new Error(`the runbook has no commands named ${name}`)
    return commands
  }
}
