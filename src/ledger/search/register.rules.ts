/** A row of a register as its account sees it, with what a filter left out between it and the row above. */
interface RegisterLine {
  amountMinor: number
  status: string
  /** Undefined where the rows follow each other without a gap. */
  skipped: bigint | undefined
}

/**
 * The balance after each row, in minor units; newest row first.
 * @param start the balance after the first row
 */
export function runningBalances(lines: RegisterLine[], start: bigint): bigint[] {
  let running = start
  let above: RegisterLine | undefined
  return lines.map((line) => {
    running -= above ? movedBy(above) + (line.skipped ?? 0n) : 0n
    above = line
    return running
  })
}

const movedBy = ({ amountMinor, status }: RegisterLine) =>
  status === 'void' ? 0n : BigInt(amountMinor)
