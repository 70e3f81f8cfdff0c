/** Keys of the settings that hold links to the game's versions (spec §3), by device. `{key}_file` says more of a file. */
export const downloadKeys = {
  android: ['android_auto'],
  ios: ['ios', 'ios_auto'],
  pc: ['pc', 'pc_auto'],
  java: ['java_148_x1', 'java_148_x3', 'java_148_x6', 'java_211_x1', 'java_e71', 'java_e72'],
} as const

export type Device = keyof typeof downloadKeys

export type DownloadKey = (typeof downloadKeys)[Device][number]
