import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentId: string | null
  name: string
  /** 1 internal, 2 server, 3 client. */
  kind: number
  ms: number
  attributes: Record<string, string | number | boolean>
  isError: boolean
  service: string
}

export type Collector = {
  url: string
  spans: ReceivedSpan[]
  bytes: number
  /** Every byte that came, as text. */
  text(): string
  headers: Record<string, unknown>[]
  /** How the next requests are answered: a status, or not at all. */
  answer: number | 'never'
  close(): Promise<void>
}

/**
 * A collector of traces: what comes by OTLP over HTTP as protobuf, read apart from the library that wrote it; or only
 * taken, where reading would cost what is measured.
 */
export async function startCollector({ isRead = true } = {}): Promise<Collector> {
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      collector.headers.push({ ...request.headers, path: request.url })
      if (collector.answer === 'never') return
      const body = Buffer.concat(chunks)
      collector.bytes += body.byteLength
      if (collector.answer === 200 && isRead) {
        bodies.push(body)
        collector.spans.push(...spansOf(body))
      }
      response.writeHead(collector.answer, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bytes: 0,
    headers: [],
    answer: 200,
    text: () => Buffer.concat(bodies).toString('latin1'),
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return collector
}

type Field = { number: number; bytes: Buffer; value: bigint }

/** The fields of a protobuf message, as the wire format has them. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] as number
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const key = Number(varint())
    const number = key >> 3
    const none = Buffer.alloc(0)
    if ((key & 7) === 0) fields.push({ number, bytes: none, value: varint() })
    else if ((key & 7) === 1) {
      fields.push({ number, bytes: message.subarray(at, at + 8), value: message.readBigUInt64LE(at) })
      at += 8
    } else if ((key & 7) === 2) {
      const length = Number(varint())
      fields.push({ number, bytes: message.subarray(at, at + length), value: 0n })
      at += length
    } else {
      fields.push({ number, bytes: message.subarray(at, at + 4), value: BigInt(message.readUInt32LE(at)) })
      at += 4
    }
  }
  return fields
}

const all = (message: Buffer, number: number) =>
  fieldsOf(message)
    .filter((field) => field.number === number)
    .map(({ bytes }) => bytes)
const bytesOf = (message: Buffer, number: number) => all(message, number)[0] ?? Buffer.alloc(0)
const numberOf = (message: Buffer, number: number) =>
  fieldsOf(message).find((field) => field.number === number)?.value ?? 0n

/** The numbers are those of opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const service = String(attributesOf(all(bytesOf(resourceSpans, 1), 1))['service.name'])
    return all(resourceSpans, 2).flatMap((scope) => all(scope, 2).map((span) => spanOf(span, service)))
  })
}

function spanOf(span: Buffer, service: string): ReceivedSpan {
  const parent = bytesOf(span, 4).toString('hex')
  return {
    traceId: bytesOf(span, 1).toString('hex'),
    spanId: bytesOf(span, 2).toString('hex'),
    parentId: parent === '' ? null : parent,
    name: bytesOf(span, 5).toString(),
    kind: Number(numberOf(span, 6)),
    ms: Number(numberOf(span, 8) - numberOf(span, 7)) / 1e6,
    attributes: attributesOf(all(span, 9)),
    isError: numberOf(bytesOf(span, 15), 3) === 2n,
    service,
  }
}

function attributesOf(pairs: Buffer[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value] = fieldsOf(bytesOf(pair, 2))
      const plain =
        value?.number === 1
          ? value.bytes.toString()
          : value?.number === 2
            ? value.value === 1n
            : Number(value?.value)
      return [bytesOf(pair, 1).toString(), plain]
    }),
  )
}
