const PODIUM = 3

export const isPodium = ({ rank }: { rank: number }): boolean => rank <= PODIUM
