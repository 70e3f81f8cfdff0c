import { SICK_ACCESS } from './access.ts'
import { SICK_ENVIRONMENTS } from './environment.ts'
import { alarmsOf, type Said } from './said.ts'
import { SICK_SERVERS } from './server.ts'
import { SICK_TABLES } from './tables.ts'

/** Set-ups of one database, which a superuser makes sick and well again. */
export const SICK_DATABASES = { ...SICK_ACCESS, ...SICK_TABLES }

const environments: Record<string, Said> = Object.fromEntries(
  Object.entries(SICK_ENVIRONMENTS).map(([about, { name, sentence }]) => [
    about,
    { name, diagnosed: `error ${sentence}`, refused: sentence, ready: null },
  ]),
)

/** Every set-up that is tried, by where it is wrong. */
const SET_UPS: Record<string, Record<string, Said>> = {
  'Roles, rights and changes': SICK_ACCESS,
  'Tables and sessions': SICK_TABLES,
  'PostgreSQL itself': SICK_SERVERS,
  'Environment and machine': environments,
}

const HEAD = `# Set-ups that are not sound

What the portal says of each set-up that its tests make sick: \`npm run portal -- doctor\` (the line that begins so, level first), a start, \`/readyz\` of a portal that runs meanwhile, and the rule of \`deploy/alerts.yml\` that fires. \`…\` stands for what differs. A start that “goes on” sets right what it can. Written from \`tests/support/sick/\` by \`npx vitest run --project repo tests/repo/set-ups.test.ts -u\`.
`

const cell = (text: string) =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('@server', '…')
    .replaceAll(/@(\w+)/g, '$1')

const readyOf = ({ ready }: Said) =>
  ready === null
    ? '–'
    : ready.status === 'ok'
      ? '200'
      : `503 \`${ready.status}\`${ready.reason === undefined ? '' : ` \`${ready.reason}\``}`

function rowOf([about, said]: [string, Said]): string {
  const [, level = '', text = ''] = /^(\w+) (.*)$/s.exec(said.diagnosed) ?? []
  const start = said.refused === null ? 'goes on' : 'refuses, with the same sentence'
  return `| ${cell(about)} | ${level} ${said.name}: ${cell(text)} | ${start} | ${readyOf(said)} | ${alarmsOf(said).join(', ') || '–'} |`
}

/** docs/set-ups.md. */
export const pageOfSetUps = (): string =>
  [
    HEAD,
    ...Object.entries(SET_UPS).map(
      ([where, setUps]) => `## ${where}

| Set-up | doctor | start | /readyz | alarm |
|---|---|---|---|---|
${Object.entries(setUps).map(rowOf).join('\n')}
`,
    ),
  ].join('\n')
