import type { FastifyReply } from 'fastify'

/** For one reader, and never shown as a document of the portal. */
export async function sendPicture(reply: FastifyReply, content: Buffer, name: string): Promise<void> {
  await reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${name}.jpg"`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .type('image/jpeg')
    .send(content)
}
