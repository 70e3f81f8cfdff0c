/**
 * The form by which login, payee and referral know a player, or null for a text that can be nobody's name. Names are
 * ASCII: without this check a look-alike such as the Kelvin sign would fold into a letter of somebody else's name.
 */
export function usernameKey(text: string): string | null {
  return /^[A-Za-z0-9]{5,20}$/.test(text) ? text.toLowerCase() : null
}
