import { expect, test, vi } from 'vitest'
import { csvFile } from './csv-file.ts'

type Row = { id: number; name: string | null }

/** So many rows, in the order of their ids. */
const rowsBehind = (count: number) => async (limit: number, after: Row | undefined) =>
  Array.from({ length: Math.min(limit, count - (after?.id ?? 0)) }, (_, n) => {
    const id = (after?.id ?? 0) + n + 1
    return { id, name: id === 2 ? null : `=ten ${id}` }
  })

const textOf = async (count: number, batchRows: number) => {
  const content = await csvFile<Row>({
    headings: ['Mã', 'Tên'],
    cells: ({ id, name }) => [id, name],
    read: rowsBehind(count),
    batchRows,
  })
  return (await content.toArray()).map(String).join('')
}

test.each([
  [0, 10],
  [3, 10],
  [9, 3],
  [10, 3],
  [2_500, 1_000],
])(
  '%i rows, read %i at a time, are each there once, and the last line tells how many',
  async (count, batchRows) => {
    const lines = (await textOf(count, batchRows)).trimEnd().split('\r\n')
    expect(lines[0]).toBe('\ufeffMã,Tên')
    expect(lines.slice(1, -1).map((line) => Number(line.split(',')[0]))).toEqual(
      Array.from({ length: count }, (_, n) => n + 1),
    )
    expect(lines.at(-1)).toBe(`${count === 2_500 ? '"Hết tệp: 2,500 dòng"' : `Hết tệp: ${count} dòng`},`)
  },
)

test('what a spreadsheet would run is text, and nothing is an empty cell', async () => {
  expect((await textOf(2, 10)).split('\r\n').slice(1, 3)).toEqual(["1,'=ten 1", '2,'])
})

test('what fails before the first row is no file at all; what fails later leaves the last line out', async () => {
  const file = (failing: number) =>
    csvFile<Row>({
      headings: ['Mã'],
      cells: ({ id }) => [id],
      batchRows: 2,
      read: async (limit, after) => {
        if ((after?.id ?? 0) >= failing) throw new Error('the database is gone')
        return rowsBehind(10)(limit, after)
      },
    })
  await expect(file(0)).rejects.toThrow('the database is gone')
  const taken: string[] = []
  const broken = await file(4)
  await expect(
    (async () => {
      for await (const part of broken) taken.push(String(part))
    })(),
  ).rejects.toThrow('the database is gone')
  expect(taken.join('')).toContain('4')
  expect(taken.join('')).not.toContain('Hết tệp')
})

test('no more is read than the reader takes, and nothing for one who has left', async () => {
  const read = vi.fn(rowsBehind(1_000_000))
  const content = await csvFile<Row>({
    headings: ['Mã', 'Tên'],
    cells: ({ id }) => [id, 'x'.repeat(100)],
    read,
    batchRows: 1_000,
  })
  const parts = content[Symbol.asyncIterator]()
  await parts.next()
  await parts.next()
  const readSoFar = read.mock.calls.length
  // What is waiting in the stream fits its buffer, and no batch is read beyond that.
  expect(readSoFar).toBeLessThanOrEqual(3)
  await parts.return?.()
  expect(content.destroyed).toBe(true)
  expect(read.mock.calls.length).toBeLessThanOrEqual(readSoFar + 1)
})
