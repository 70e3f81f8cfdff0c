/** Line drawings that the player site does not have, as paths of `Drawing`. */
export const drawings = {
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.3 15.3 20 20',
} as const
