import { Drawing, Icon, type IconName } from '#ui/icon.tsx'

/** Line drawings that the player site does not have, as paths of `Drawing`. */
export const drawings = {
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.3 15.3 20 20',
  chevron: 'M6.5 9.5 12 15l5.5-5.5',
  figures: 'M4 4v16h16M8 16v-4M12 16V8M16 16v-6',
  'person-gone': 'M10 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3 20c.5-3.5 3.3-5.5 7-5.5M15.5 15.5l5 5m0-5-5 5',
  receipt: 'M6 3.5h12V21l-2.4-1.8L13.2 21 12 19.6 10.8 21l-2.4-1.8L6 21zM9 8h6M9 12h6',
  inbox: 'M4 13.5 6.5 5h11L20 13.5V19H4zM4 13.5h4.5L10 16h4l1.5-2.5H20',
  'return-money': 'M8.5 5 4.5 9l4 4M4.5 9H15a5 5 0 0 1 0 10H8',
  lifebuoy:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM6 6l3.5 3.5M18 6l-3.5 3.5M6 18l3.5-3.5M18 18l-3.5-3.5',
  'written-answer': 'M4 5h16v11H11l-4.5 4v-4H4zM8 9h8M8 12h5',
  box: 'M12 3.5 20 8v8.5L12 21l-8-4.5V8zM4 8l8 4.5L20 8M12 12.5V21',
  book: 'M5 4.5h12.5V20H6.8A1.8 1.8 0 0 1 5 18.2zM5 18.2A1.8 1.8 0 0 1 6.8 16.4h10.7M9 8.5h5',
  'closed-day': 'M4.5 6h15v13.5h-15zM4.5 10h15M8.5 3.5V7.5M15.5 3.5V7.5M9 14.5l2.2 2.2 4-4',
  percent:
    'M18.5 5.5l-13 13M7.5 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM16.5 19a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  steps: 'M4 19.5h4.5V15H13v-4.5h4.5V6H20',
  stamp: 'M9.5 13.5V10a3.5 3.5 0 1 1 5 0v3.5H19V17H5v-3.5zM5 20h14',
  ticket: 'M4 7h16v3.2a1.9 1.9 0 0 0 0 3.6V17H4v-3.2a1.9 1.9 0 0 0 0-3.6zM14 7v2.5M14 14.5V17',
  handshake: 'M3.5 8.5 7.5 6l4.5 2.5L16.5 6l4 2.5v7L17 17l-5 3-5-3-3.5-1.5zM12 8.5 8.5 12l2 1.5L13.5 11l4 4',
  purse: 'M9 4h6l-1.5 3.5c4 1.5 5.5 5 5.5 8 0 3-2 4.5-7 4.5s-7-1.5-7-4.5c0-3 1.5-6.5 5.5-8zM9.5 7.5h5',
  scales: 'M12 4v16M8 20h8M5 7h14M5 7l-2.5 6.5h5zM19 7l-2.5 6.5h5z',
  wrench: 'M20 7.5a5 5 0 0 1-6.7 4.7L7 18.5a2.1 2.1 0 0 1-3-3l6.3-6.3A5 5 0 0 1 16 3.5L13.5 6l.5 4 4 .5z',
  sliders: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  'planned-price': 'M12 20.5a8.5 8.5 0 1 1 8.4-7M12 7v5.2l3 1.8M17 17.5h5M19.5 15v5',
  decision: 'M5 4h14v16H5zM8.5 9.5l1.5 1.5 2.5-3M8.5 16h7M14.5 10h2',
  shield: 'M12 3.5 19 6v6c0 4-3 7-7 8.5C8 19 5 16 5 12V6zM9 12l2.2 2.2L15.2 10',
  server: 'M4.5 5h15v6h-15zM4.5 13h15v6h-15zM7.5 8h.1M7.5 16h.1M11 8h5M11 16h5',
  ranking: 'M4 20v-6h5V9h6v7.5h5V20zM9 20v-6M15 20v-3.5M12 4v2',
  tag: 'M4 4.5h8.5L20.5 12.5 12.5 20.5 4 12zM8 8.5h.1',
  manual: 'M12 6.5C10 5 7 4.5 4 5v13.5c3-.5 6 0 8 1.5 2-1.5 5-2 8-1.5V5c-3-.5-6 0-8 1.5ZM12 6.5V20',
  scroll:
    'M7 4h11v13.5a2.5 2.5 0 0 1-2.5 2.5H7a2.5 2.5 0 0 1-2.5-2.5V16H13v1.5a2.5 2.5 0 0 0 2.5 2.5M7 4a2 2 0 0 0-2 2v10M10 8h5M10 12h5',
  retry: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15M12 8.5v4M12 15.5h.1',
  browser: 'M3.5 5h17v14h-17zM3.5 9h17M6.5 7h.1M10 12l4 4m0-4-4 4',
  trophy:
    'M7.5 4h9v6a4.5 4.5 0 0 1-9 0zM7.5 6H4c0 3 1.2 5 3.8 5.2M16.5 6H20c0 3-1.2 5-3.8 5.2M12 14.5V18M8.5 20h7M9.5 18h5',
  post: 'M4.5 4.5h15v15h-15zM8 8.5h8M8 12h8M8 15.5h5',
  law: 'M6.5 3.5h7.5L18 7.5V20.5H6.5zM14 3.5V7.5H18M9.5 11.5h5M9.5 14.5h5M9.5 17.5h3',
  picture: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 10a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z',
  folder: 'M3.5 6h6l2 2.5h9V19h-17z',
} as const

export type ScreenIcon = keyof typeof drawings | IconName

const isOwn = (name: ScreenIcon): name is keyof typeof drawings => Object.hasOwn(drawings, name)

/** The drawing of a screen, of this site or of both. */
export const ScreenDrawing = ({ name, className }: { name: ScreenIcon; className?: string }) =>
  isOwn(name) ? (
    <Drawing path={drawings[name]} className={className} />
  ) : (
    <Icon name={name} className={className} />
  )
