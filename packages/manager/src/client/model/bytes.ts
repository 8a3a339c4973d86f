const units = ['B', 'KB', 'MB', 'GB'] as const

/** A size for people: three significant digits, decimal units (1 KB is 1 000 bytes). */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes)
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? Math.round(value) : Number(value.toPrecision(3))} ${units[unit]}`
}

/** Part of a whole as a width in percent, between 0 and 100. A small part stays visible. */
export function barWidth(bytes: number, largest: number): number {
  if (bytes <= 0 || largest <= 0) return 0
  return Math.min(100, Math.max(2, Math.round((bytes / largest) * 100)))
}
