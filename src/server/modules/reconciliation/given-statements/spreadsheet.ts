import { Worker } from 'node:worker_threads'
import { boundedQueue } from '#server/platform/process/bounded-queue.ts'
import { invalidField, Refusal } from '#server/platform/values/errors.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Cells } from './statement-file.rules.ts'

/** More than a busy account moves in a quarter. */
const ROWS_MAX = 20_000
const READING_MS_MAX = 15_000
const MEMORY_MB_MAX = 384

const unreadable = () =>
  invalidField(
    'statement',
    'Không đọc được tệp này. Hãy tải lại sao kê dạng Excel (XLSX, XLS) hoặc CSV từ ngân hàng',
  )

const tooLong = () =>
  invalidField(
    'statement',
    `Tệp có hơn ${ROWS_MAX.toLocaleString('en')} dòng, vui lòng tải sao kê của ít ngày hơn`,
  )

/** One for the process: the bound is on its memory. */
const queued = boundedQueue({
  runningMax: 1,
  waitingMax: 4,
  waitMsMax: 20_000,
  refusal: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 10 }),
})

/** The cells of the longest sheet of a spreadsheet or a CSV file. Throws VALIDATION for what is none, UNAVAILABLE when busy. */
export async function readSpreadsheet(log: Log, bytes: Buffer): Promise<Cells> {
  const cells = await queued(() => readInThread(bytes)).catch((error: unknown) => {
    if (error instanceof Refusal) throw error
    log.info({ err: error, event: 'reconciliation.unreadable-file' }, 'a statement file could not be read')
    throw unreadable()
  })
  if (cells.length > ROWS_MAX) throw tooLong()
  return cells
}

function readInThread(bytes: Buffer): Promise<Cells> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./spreadsheet.worker.ts', import.meta.url), {
      workerData: { bytes: new Uint8Array(bytes), rowsMax: ROWS_MAX },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
      // It needs no secrets.
      env: {},
    })
    const timer = setTimeout(() => {
      reject(new Error('the file took too long'))
      void worker.terminate()
    }, READING_MS_MAX)
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(timer)
      reject(new Error('the thread ended without a result'))
    })
  })
}
