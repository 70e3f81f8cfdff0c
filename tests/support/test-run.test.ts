import { expect, test } from 'vitest'
import { folderInMemory } from './test-run.ts'

const GB = 2 ** 30
const MOUNTS = `/dev/vda / ext4 rw,relatime 0 0
tmpfs /dev/shm tmpfs rw,nosuid,nodev,size=24684092k 0 0
`
const roomy = { mounts: MOUNTS, bytesFree: () => 20 * GB, memoryFree: 20 * GB }

test('temporary files are in memory where there is room', () => {
  expect(folderInMemory(roomy)).toBe('/dev/shm')
})

test.for([
  ['there is no such folder', { mounts: '/dev/vda / ext4 rw 0 0\n' }],
  ['it lies on a disk', { mounts: MOUNTS.replace(' tmpfs ', ' ext4 ') }],
  ['no program may be run from it', { mounts: MOUNTS.replace('nodev', 'noexec') }],
  ['it may not be written', { mounts: MOUNTS.replace('tmpfs rw', 'tmpfs ro') }],
  ['it is small, as in a container', { bytesFree: () => 64 * 2 ** 20 }],
  ['the memory is needed for other things', { memoryFree: 2 * GB }],
  ['what was mounted there later is small', { mounts: `${MOUNTS}shm /dev/shm none rw 0 0\n` }],
] as const)('they stay on the disk where %s', ([, different]) => {
  expect(folderInMemory({ ...roomy, ...different })).toBeNull()
})
