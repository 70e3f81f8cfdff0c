import { phone, requiredEmail } from '#contract/fields.ts'
import { isNumberColumn, isTextColumn, type Column, type Table } from '../schema.ts'
import { textOf } from '../values.ts'
import { shareOf } from './candidates.ts'
import type { Samples } from './samples.ts'
import { fitting } from './words.ts'

/** Names that say it with other words beside them say something else, such as `email_token`. */
const NAMED_SO = 61

const isPhone = (text: string) => phone.safeParse(text.replace(/^(?=[35789]\d{8}$)/, '0')).success
const isEmail = (text: string) => requiredEmail.safeParse(text).success

/** The columns with what players gave of themselves, for the part `import`: by their names, unless most values are something else. */
export async function contactColumns(
  samples: Samples,
  table: Table,
): Promise<{ phone?: string; email?: string }> {
  const of = async (
    word: 'phone' | 'email',
    isFit: (column: Column) => boolean,
    is: (text: string) => boolean,
  ) => {
    for (const { column, fit } of fitting(table, word, isFit)) {
      if (fit < NAMED_SO) break
      const values = (await samples.values(table, column.name)).map((value) => textOf(value) ?? String(value))
      const given = values.filter((text) => !/^0*$/.test(text.trim()))
      if (given.length === 0 || shareOf(given, is) >= 0.5) return { [word]: column.name }
    }
    return {}
  }
  return {
    ...(await of('phone', (column) => isTextColumn(column) || isNumberColumn(column), isPhone)),
    ...(await of('email', isTextColumn, isEmail)),
  }
}
