import { checkRows } from '../bank-files/items.ts'
import { SqliteFile, type SqliteRow } from './sqlite.ts'

const textIn = (row: SqliteRow, column: string): string => String(row[column] ?? '')

/** `20260314` as a day. */
const dayIn = (row: SqliteRow): string =>
  textIn(row, 'date').replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')

/** Amounts have two decimals, and those of plans three. */
const amountIn = ({ amount }: SqliteRow) => (typeof amount === 'number' ? amount * 10 : null)

/** By id, what was merged into what. */
function* mapOf(
  rows: Iterable<SqliteRow | undefined>,
  target: string,
): Generator<string, Map<string, string>> {
  const map = new Map<string, string>()
  for (const row of rows) {
    if (row) {
      map.set(textIn(row, 'id'), textIn(row, target))
    }
    yield ''
  }
  return map
}

/** The database of Actual as a plan in JSON, a piece of text at a time: an empty one for what says nothing. */
export function* planOfActual(bytes: Uint8Array): Generator<string> {
  const file = new SqliteFile(bytes)
  const payeeOf = yield* mapOf(file.rows('payee_mapping'), 'targetId')
  const categoryOf = yield* mapOf(file.rows('category_mapping'), 'transferId')
  const transferOf = yield* mapOf(file.rows('payees'), 'transfer_acct')
  const target = (map: Map<string, string>, id: string) => map.get(id) || id
  let count = 0

  function record(row: SqliteRow) {
    const payee = target(payeeOf, textIn(row, 'description'))
    const other = transferOf.get(payee) ?? ''
    count += 1
    checkRows(count)
    return {
      id: row['id'],
      amount: amountIn(row),
      memo: row['notes'],
      category_id: target(categoryOf, textIn(row, 'category')),
      deleted: row['tombstone'] === 1,
      ...(other === ''
        ? { payee_id: payee }
        : { transfer_account_id: other, transfer_transaction_id: row['transferred_id'] }),
    }
  }

  const lists: Record<string, () => Iterable<object | undefined>> = {
    accounts: () =>
      mapped(file.rows('accounts'), (row) => ({
        ...{ id: row['id'], name: row['name'], type: row['type'] },
        deleted: row['tombstone'] === 1,
      })),
    payees: () => mapped(file.rows('payees'), ({ id, name }) => ({ id, name })),
    category_groups: () => mapped(file.rows('category_groups'), ({ id, name }) => ({ id, name })),
    categories: () =>
      mapped(file.rows('categories'), (row) => ({
        ...{ id: row['id'], name: row['name'], category_group_id: row['cat_group'] },
      })),
    transactions: () =>
      mapped(file.rows('transactions'), (row) =>
        isPart(row)
          ? undefined
          : {
              ...record(row),
              account_id: row['acct'],
              date: dayIn(row),
              cleared: row['cleared'] === 0 ? 'uncleared' : 'cleared',
              import_payee_name: row['imported_description'],
            },
      ),
    subtransactions: () =>
      mapped(file.rows('transactions'), (row) =>
        isPart(row) ? { ...record(row), transaction_id: parentOf(row) } : undefined,
      ),
  }
  yield '{"plan":{'
  for (const [at, [name, list]] of Object.entries(lists).entries()) {
    let separator = ''
    yield `${at === 0 ? '' : ','}"${name}":[`
    for (const item of list()) {
      yield item ? separator + JSON.stringify(item) : ''
      separator = item ? ',' : separator
    }
    yield ']'
  }
  yield '}}'
}

const isPart = (row: SqliteRow): boolean => row['isChild'] === 1

/** Older parts have the id of their parent in their own. */
const parentOf = (row: SqliteRow): string =>
  textIn(row, 'parent_id') || (textIn(row, 'id').split('/', 1)[0] as string)

function* mapped(
  rows: Iterable<SqliteRow | undefined>,
  make: (row: SqliteRow) => object | undefined,
) {
  for (const row of rows) {
    yield row && make(row)
  }
}
