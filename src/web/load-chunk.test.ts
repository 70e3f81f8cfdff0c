import { expect, test } from 'vitest'
import { loadChunk } from '#web/load-chunk.tsx'

test('a part that arrives is handed on', async () => {
  await expect(loadChunk(async () => 'page')).resolves.toBe('page')
})

test('a part that does not come in time fails instead of waiting for ever', async () => {
  await expect(loadChunk(() => new Promise(() => {}), 5)).rejects.toThrow('did not load in time')
})
