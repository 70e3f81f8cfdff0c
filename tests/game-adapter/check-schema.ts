import type { GameSchema } from './schema-tables.ts'

type Detected = { file: Record<string, unknown>; findings: readonly string[] }

/** Where the proposed file, or what was said beside it, is not what the schema asks for. */
export function wrongIn({ file, findings }: Detected, { expected }: GameSchema, other: string): string[] {
  const inPlace = (text: string) => text.replaceAll('{other}', other)
  const wrong: string[] = []
  const compare = (at: string, is: unknown, wanted: unknown) => {
    const [a, b] = [JSON.stringify(is), inPlace(JSON.stringify(wanted))]
    if (a !== b) wrong.push(`${at} is ${a}, not ${b}`)
  }
  compare('preset', file.preset, expected.preset)
  compare('luong', file.luong, expected.luong)
  for (const part of ['accounts', 'characters'] as const)
    for (const [column, wanted] of Object.entries(expected[part]))
      compare(`${part}.${column}`, (file[part] as Record<string, unknown>)[column], wanted)
  for (const sentence of expected.says ?? [])
    if (
      !inPlace(sentence)
        .split('|')
        .some((one) => findings.some((finding) => finding.includes(one)))
    )
      wrong.push(`nothing says “${inPlace(sentence)}”: ${findings.join(' / ')}`)
  return wrong
}
