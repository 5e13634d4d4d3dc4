import { vi } from 'vitest'

/** A line of the log about a row that scheduled work failed for. */
export interface UndoneRow {
  event: string
  work: string
  id: string
  code: string
  cause?: string
}

/** Gives the lines of the log about rows that some work fails for. */
export async function undoneBy(work: () => Promise<unknown>): Promise<UndoneRow[]> {
  const printed = vi.spyOn(console, 'log')
  try {
    await work()
    return printed.mock.calls
      .map(([line]) => JSON.parse(String(line)) as UndoneRow)
      .filter(({ event }) => event === 'row.undone')
  } finally {
    printed.mockRestore()
  }
}
