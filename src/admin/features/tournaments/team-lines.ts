type Team = { name: string; members: string[] }

export const readMembers = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** One team a line, `name: character, character`; a line without a colon is a team of one with its own name. */
export function readTeams(text: string): Team[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [name = '', ...rest] = line.split(':')
      const members = readMembers(rest.join(':'))
      return { name: name.trim(), members: members.length === 0 ? [name.trim()] : members }
    })
}
