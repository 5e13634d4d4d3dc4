/** How often, and how much. */
export interface Sum {
  downloads: number
  bytes: number
}

/** Adds up rows that share a key, in the order in which each key comes first. */
export function sumBy<Row extends Sum>(
  rows: Row[],
  keyOf: (row: Row) => string,
): (Sum & { key: string })[] {
  const sums = new Map<string, Sum>()
  for (const row of rows) {
    const key = keyOf(row)
    const { downloads, bytes } = sums.get(key) ?? { downloads: 0, bytes: 0 }
    sums.set(key, { downloads: downloads + row.downloads, bytes: bytes + row.bytes })
  }
  return [...sums].map(([key, sum]) => ({ key, ...sum }))
}
