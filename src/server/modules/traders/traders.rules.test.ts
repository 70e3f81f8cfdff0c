import { expect, test } from 'vitest'
import { activationMessage } from './activation.service.ts'

test('the activation names the fee, when there was one', () => {
  expect(activationMessage(20_000)).toBe('Kích hoạt tài khoản thành công, phí kích hoạt là 20,000 TCoin')
  expect(activationMessage(0)).toBe('Kích hoạt tài khoản thành công')
})
