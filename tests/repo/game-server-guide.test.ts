import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { signGameCall } from '#contract/game/signature.ts'
import { root } from './checkout-copy.ts'

test('the signature worked out in the guide for games is the one the portal makes', async () => {
  const guide = await readFile(join(root, 'docs/game-server.md'), 'utf8')
  const secret = /With the secret `([^`]+)`/.exec(guide)?.[1] ?? ''
  const line = (name: string) => new RegExp(`^${name} +(.+)$`, 'm').exec(guide)?.[1] ?? ''
  const [t, path, body] = [line('t'), line('path'), line('body')]
  const signature = createHmac('sha256', secret)
    .update(`${t}.${line('method')}.${path}.${body}`)
    .digest('hex')
  expect(line('v1')).toBe(signature)
  expect(signGameCall(secret, Number(t), { method: 'PUT', path, body })).toBe(`t=${t},v1=${signature}`)
})
