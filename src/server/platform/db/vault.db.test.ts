import { beforeAll, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { openVault, type Vault } from './vault.ts'

const portal = useTestApp()
let vault: Vault

beforeAll(async () => {
  vault = openVault(portal.db)
})

describe('the installation’s key', () => {
  test('seals a text so that only it, and only for that purpose, can open it', async () => {
    const sealed = await vault.seal('mail', 'mã của bạn là 012345')
    expect(sealed.toString('latin1')).not.toContain('012345')
    expect(await vault.open('mail', sealed)).toBe('mã của bạn là 012345')
    // Another process of the same installation has the same key.
    expect(await openVault(portal.db).open('mail', sealed)).toBe('mã của bạn là 012345')
    await expect(vault.open('sms', sealed)).rejects.toThrow()
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)
    await expect(vault.open('mail', changed)).rejects.toThrow()
  })

  test('seals the same text differently each time', async () => {
    expect(await vault.seal('mail', 'a')).not.toEqual(await vault.seal('mail', 'a'))
  })

  test('hashes the same value alike for one purpose and differently for another', async () => {
    const phone = '84912345678'
    expect(await vault.hash('phone', phone)).toEqual(await openVault(portal.db).hash('phone', phone))
    expect(await vault.hash('phone', phone)).not.toEqual(await vault.hash('email', phone))
    expect(await vault.hash('phone', phone)).toHaveLength(32)
  })
})
