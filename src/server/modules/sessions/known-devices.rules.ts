/** How long a device is remembered after its last sign-in: its cookie, and the address it came from. */
export const COOKIE_DAYS_MAX = 180
export const ADDRESS_DAYS_MAX = 30

/** Of each kind and account, the newest. */
export const KNOWN_DEVICES_MAX = 20

/** A sign-in soon after the last writes nothing. */
export const SEEN_AGAIN_HOURS = 1
