/** Keys of the settings that hold links to the game's versions (spec §3), by device. `{key}_file` has the facts about its file. */
export const downloadKeys = {
  android: ['android_auto'],
  ios: ['ios', 'ios_auto'],
  pc: ['pc', 'pc_auto'],
  java: ['java_148_x1', 'java_148_x3', 'java_148_x6', 'java_211_x1', 'java_e71', 'java_e72'],
} as const

export type Device = keyof typeof downloadKeys

export type DownloadKey = (typeof downloadKeys)[Device][number]

/**
 * The device by the browser's user agent. An iPad calls itself a Mac, but only it has a touch screen. Its
 * text is part of a document's first script (csp.ts), so it refers to nothing outside itself.
 */
export function detectDevice(userAgent: string, touchPoints: number): Device {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && touchPoints > 1)) return 'ios'
  if (/j2me|midp|symbian|series\s?60|nokia/i.test(userAgent)) return 'java'
  return 'pc'
}
