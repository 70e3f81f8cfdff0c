import { expect, test } from 'vitest'
import { downloadVersions, formatSize } from '#web/features/downloads/download-versions.ts'

test('only versions with a link are offered, and no empty device', () => {
  const offers = downloadVersions({
    java_e72: 'https://tai.example.com/e72.jar',
    pc: 'https://tai.example.com/pc.zip',
    ios: 'soon',
  })
  expect(offers.map(({ device, versions }) => [device, versions.map(({ key }) => key)])).toEqual([
    ['pc', ['pc']],
    ['java', ['java_e72']],
  ])
})

const SHA = 'ab'.repeat(32)

test.each([
  [
    JSON.stringify({ version: '1.4.8', size_bytes: 5, sha256: SHA }),
    { version: '1.4.8', size_bytes: 5, sha256: SHA },
  ],
  [JSON.stringify({ size_bytes: 5 }), { size_bytes: 5 }],
  [JSON.stringify({ version: 7, size_bytes: -1, sha256: '<b>' }), {}],
  ['', {}],
  ['null', {}],
  ['not json', {}],
])('of a file described by %s only what is usable is shown', (text, facts) => {
  const [offer] = downloadVersions({ pc: 'https://tai.example.com/pc.zip', pc_file: text })
  expect(offer?.versions[0]?.file).toEqual(facts)
})

test.each([
  [1, '1 KB'],
  [912_384, '891 KB'],
  [1_048_220, '1.0 MB'],
  [24_381_204, '23.3 MB'],
  [610_204_991, '582 MB'],
])('%i bytes are %s', (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown)
})
