/** `1234567` → `1,234,567` (spec §9: comma thousand separators). */
export function formatNumber(value: number | bigint): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}
