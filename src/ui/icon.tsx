/** Line drawings on a grid of 24, in the colour of the text around them. Meaning is always in words beside them. */
const drawings = {
  home: 'M4 11.5 12 4l8 7.5M6 10v9.5h4.5V14h3v5.5H18V10',
  wallet:
    'M4 7.5h14.5a1.5 1.5 0 0 1 1.5 1.5v9.5H5.5A1.5 1.5 0 0 1 4 17V6.5A1.5 1.5 0 0 1 5.5 5H17v2.5M16 13.2h.1',
  exchange: 'M4 9h14m-4-4 4 4-4 4M20 15H6m4 4-4-4 4-4',
  chat: 'M4 5.5h16v11h-9L6.5 20v-3.5H4zM8.5 11h.1M12 11h.1M15.5 11h.1',
  gift: 'M4.5 9.5h15v3h-15zM6 12.5V20h12v-7.5M12 9.5V20M12 9.5C8 9.5 7 4.8 9.5 4.6c1.8 0 2.5 2.9 2.5 4.9 0-2 .7-4.9 2.5-4.9C17 4.8 16 9.5 12 9.5',
  user: 'M12 12.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.6-3.6 3.6-5.5 7.5-5.5s6.9 1.9 7.5 5.5',
  logout: 'M14 4.5H5.5v15H14M10 12h10m-3.5-3.5L20 12l-3.5 3.5',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M4.5 19.5h15',
  gem: 'M7.5 4.5h9L21 10l-9 10L3 10zM3 10h18M9 10l3 10 3-10M7.5 4.5 9 10l3-5.5 3 5.5 1.5-5.5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5 10 17.5 19.5 7',
  warning: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17.2v.1',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 14.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z',
  bell: 'M12 4a5.6 5.6 0 0 0-5.6 5.6c0 4.9-1.9 6.4-1.9 6.4h15s-1.9-1.5-1.9-6.4A5.6 5.6 0 0 0 12 4ZM10 19a2.2 2.2 0 0 0 4 0',
  calendar: 'M4.5 6h15v13.5h-15zM4.5 10h15M8.5 3.5V7.5M15.5 3.5V7.5',
  arrow: 'M5 12h14m-5.5-5.5L19 12l-5.5 5.5',
  copy: 'M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7v5.2l3.3 2',
  send: 'M20.5 3.5 10 14M20.5 3.5 14 20.5 10 14 3.5 10z',
  bank: 'M3.5 9.5 12 4l8.5 5.5zM5.5 9.5V17M10 9.5V17M14 9.5V17M18.5 9.5V17M3.5 20h17M4.5 17h15',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19c.5-3.2 3-5 6.5-5s6 1.8 6.5 5M15.5 5.2a3.2 3.2 0 0 1 0 5.9M17.5 14.5c2.2.6 3.6 2.1 4 4.5',
} as const

export type IconName = keyof typeof drawings

type Props = { className?: string }

export const Icon = ({ name, className }: Props & { name: IconName }) => (
  <Drawing path={drawings[name]} className={className} />
)

/** A line drawing that only one site has. */
export function Drawing({ path, className = 'size-5' }: Props & { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={`line-drawing ${className}`}>
      <path d={path} />
    </svg>
  )
}
