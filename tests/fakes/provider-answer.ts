import type { IncomingHttpHeaders } from 'node:http'

export type FakeAnswer = { status?: number; body: unknown; headers?: Record<string, string> }
export type FakeCall = { method: string; url: URL; body: string; headers: IncomingHttpHeaders }
