import { Refusal } from '#server/platform/http/refusal.ts'

export const giftAlreadyTaken = () => new Refusal('GIFT_ALREADY_TAKEN')

export const characterNotFound = () => new Refusal('CHARACTER_NOT_FOUND')
