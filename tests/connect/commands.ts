export type Command = {
  /** The word behind `sh` or `sql`. */
  name: string
  language: 'sh' | 'sql'
  text: string
  heading: string
}

export type Heading = { title: string; level: number; minutes: number }

const PARTS =
  /^(?<marks>#{2,3}) (?<title>.*)$|^ *```(?<language>sh|sql) (?<name>\S+)\n(?<text>[^]*?)^ *```$/gm

/** The commands of a runbook in their order, under their headings. */
export function readCommands(runbook: string): Command[] {
  let heading = ''
  const commands: Command[] = []
  for (const { groups = {} } of runbook.matchAll(PARTS)) {
    if (groups.title !== undefined) heading = groups.title
    else {
      const { name = '', language, text = '' } = groups
      commands.push({ name, language: language === 'sql' ? 'sql' : 'sh', text, heading })
    }
  }
  return commands
}

/** The headings that say how long they take. */
export function readHeadings(runbook: string): Heading[] {
  const headings = [...runbook.matchAll(/^(#{2,3}) (.*), (\d+) minutes?$/gm)]
  return headings.map(([, marks = '', title = '', minutes]) => ({
    title,
    level: marks.length,
    minutes: Number(minutes),
  }))
}

/** With the reader's own values in place of what stands in angle brackets. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/<(\w+)>/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the reader has no value for <${name}>`)
    return value
  })
}
