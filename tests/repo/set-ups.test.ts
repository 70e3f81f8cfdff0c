import { expect, test } from 'vitest'
import { pageOfSetUps } from '#tests/support/sick/table.ts'

test('docs/set-ups.md has what the portal says of each sick set-up', async () => {
  await expect(pageOfSetUps()).toMatchFileSnapshot('../../docs/set-ups.md')
})
