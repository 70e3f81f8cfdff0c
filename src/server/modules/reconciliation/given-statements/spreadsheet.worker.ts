import { parentPort, workerData } from 'node:worker_threads'
import { readCells } from '#server/platform/values/spreadsheet-cells.ts'

// Reads one file and ends. In a thread of its own, since a file of a few megabytes may unpack to gigabytes, or take minutes:
// the thread has a bound on memory and time, and its end disturbs nothing else.

type Given = { bytes: Uint8Array; rowsMax: number }

const { bytes, rowsMax } = workerData as Given
parentPort?.postMessage(readCells(bytes, rowsMax), [])
