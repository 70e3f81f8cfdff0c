import type { PersonalPart } from '#server/domain/personal-part.ts'
import { targetHash } from './codes.service.ts'
import { senderHash } from './sms.service.ts'

/** Codes and messages name nobody: they are found by the keyed hash of the phone or the address, as long as it is known. */
export const personalCodes: PersonalPart = {
  lists: {},
  async erase(tx, { id, email, phone }, { vault }) {
    if (email !== null) {
      const target = await targetHash(vault, { channel: 'email', userId: id, email })
      await tx
        .deleteFrom('one_time_code')
        .where('channel', '=', 'email')
        .where('target', '=', target)
        .execute()
    }
    if (phone === null) return
    const target = await targetHash(vault, { channel: 'phone', phone })
    await tx.deleteFrom('one_time_code').where('channel', '=', 'phone').where('target', '=', target).execute()
    const sender = await senderHash(vault, phone)
    await tx.deleteFrom('sms_message').where('sender', '=', sender).execute()
  },
}
