import { coreOf, remainderId, transactionIdFrom, transferIdFrom } from '../../../../domain/ids.ts'

type Row = Readonly<Record<string, string | number | null>>
type Ids = ReadonlyMap<string, Pick<ReadonlySet<string>, 'has'>>

/**
 * Tells whether a row takes an id that is made of the id of another row, without being what has that id: the opening balance of an
 * account, the row that became a transfer, or what a transfer leaves behind when it is erased. The service would meet it where it
 * makes the id. Transfers come first.
 * @param ids those of the rows that came before, by table
 */
export function isTakenId(table: string, row: Row, ids: Ids): boolean {
  const id = String(row['id'] ?? row['transaction_id'])
  if (table === 'transactions') {
    const isOfAccount = ids.get('accounts')?.has(`acc_${coreOf(id)}`) === true
    const other = id.startsWith('trf_') ? transactionIdFrom(id) : transferIdFrom(id)
    const isOther = ids.get(table)?.has(other) === true
    return isOfAccount !== (row['kind'] === 'opening') || (isOther && row['matched_into'] !== other)
  }
  return (
    (table === 'entries' || table === 'unbooked_entries') &&
    row['side'] === 'account' &&
    typeof row['pair'] === 'number' &&
    ids.get('transactions')?.has(remainderId(id, row['pair'])) === true
  )
}
