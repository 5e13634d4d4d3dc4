import { compareMagnitudes, negateDecimal, sumDecimals } from '../../bank-files/decimals.ts'
import type { SourcePart, SourceRow } from '../../bank-files/source.ts'
import { foldHeading } from '../words.ts'
import type { RowCombiner } from './profile.ts'

/** The first name of the path of a category: income and expenses, in the languages of the program. */
const CATEGORIES = new Set(
  `Income|Expenses|Expense|Revenue|Erträge|Ertrag|Aufwendungen|Aufwand|Revenus|Dépenses|Charges|Ingresos|Gastos|Entrate|Uscite|
  Receitas|Despesas|Inkomsten|Uitgaven|Indtægter|Udgifter|Intäkter|Utgifter|Inntekter|Tulot|Menot|Przychody|Wydatki|Příjmy|Výdaje|
  Výnosy|Náklady|Bevételek|Bevétel|Kiadások|Kiadás|Venituri|Cheltuieli|Доходы|Расходы|Доходи|Витрати|Έσοδα|Έξοδα|Gelirler|Giderler|
  收入|支出|費用|収益|수익|비용`
    .split('|')
    .map(foldHeading),
)
const EQUITY = new Set(
  `Equity|Eigenkapital|Anfangsbestand|Capitaux propres|Capital|Patrimonio|Patrimonio neto|Eigen vermogen|Egenkapital|Eget kapital|
  Oma pääoma|Kapitał własny|Vlastní jmění|Vlastní kapitál|Saját tőke|Capitaluri proprii|Собственные средства|Капитал|Ίδια κεφάλαια|
  Özkaynak|所有者权益|純資産|자본`
    .split('|')
    .map(foldHeading),
)

const pathOf = (account: string): string[] => account.split(':').map((name) => name.trim())
const isIn = (names: ReadonlySet<string>, { account }: { account: string }) =>
  names.has(foldHeading(pathOf(account)[0] as string))

/** Accounts that hold money or debts, by their path. */
export function gnucashAccounts(cell: (heading: string) => string): string[] {
  const account = cell('Full Account Name')
  return isIn(CATEGORIES, { account }) || isIn(EQUITY, { account }) ? [] : [account]
}

/**
 * The currency of the transaction, which its first row names, is that of an account whose amount is also its value. The other rows
 * say nothing.
 */
export function gnucashCurrencies(cell: (heading: string) => string): (string | null)[] {
  const commodity = cell('Commodity/Currency')
  const [, currency = ''] = /^CURRENCY::([A-Z]{3})$/.exec(commodity) ?? []
  const isOwn = cell('Amount Num.') === cell('Value Num.')
  return [commodity === '' ? null : isOwn ? currency : '']
}

/**
 * A split seen from the account that pays for it: what it gets, that account gives.
 *
 * @param pair what it shares with the row of its own account; undefined where it is a category
 */
function partOf(row: SourceRow, pair: string | undefined): SourcePart {
  const memo = row.raw['Memo']
  return {
    amount: negateDecimal(row.metadata['originalAmount'] ?? row.amount ?? '0'),
    ...(memo && { description: memo }),
    // The path begins with the kind of the account, which is no category.
    ...(pair === undefined
      ? { category: pathOf(row.account).slice(1) }
      : { transfer: row.account, pair }),
  }
}

const STATUSES = new Map([
  ['n', 'uncleared'],
  ['c', 'cleared'],
  ['y', 'cleared'],
] as const)

/** Completes a split with the values of the first row of its transaction. */
function completed(row: SourceRow, first: SourceRow): SourceRow {
  const { date, description, note, text } = first
  const status = STATUSES.get(row.raw['Reconcile'] as 'n')
  return {
    ...row,
    ...(date !== undefined && { date }),
    ...(description !== undefined && { description }),
    ...(note !== undefined && { note }),
    ...(status && { status }),
    text,
    errors: row.errors.filter(({ code }) => code !== 'dateMissing'),
  }
}

function bothSides(a: SourceRow, b: SourceRow, id: string): SourceRow[] {
  return [
    { ...a, transfer: { account: b.account, pair: id } },
    { ...b, transfer: { account: a.account, pair: id } },
  ]
}

function transactionOf(rows: SourceRow[], id: string): SourceRow[] {
  const first = rows[0] as SourceRow
  const splits = rows.map((row) => completed(row, first))
  const own = splits.filter((row) => !isIn(CATEGORIES, row) && !isIn(EQUITY, row))
  const [whole, other] = own.toSorted((a, b) => compareMagnitudes(a.amount ?? '0', b.amount ?? '0'))
  if (!whole) {
    return [{ ...(splits[0] as SourceRow), ignored: 'information', errors: [] }]
  }
  if (splits.some((row) => isIn(EQUITY, row))) {
    return own.map((row) => ({ ...row, ignored: 'opening' as const }))
  }
  if (other && splits.length === 2) {
    return bothSides(whole, other, id)
  }
  const others = splits.filter((row) => row !== whole)
  const places = new Map(others.map((row, at) => [row, at]))
  const ownRows = new Set(own)
  const pairOf = (row: SourceRow) => (ownRows.has(row) ? `${id}/${places.get(row)}` : undefined)
  const parts = others.map((row) => partOf(row, pairOf(row)))
  const errors = splits.flatMap((row) => row.errors)
  const isWhole =
    sumDecimals(parts.map(({ amount }) => amount)) ===
    (whole.metadata['originalAmount'] ?? whole.amount)
  if (!isWhole && errors.length === 0) {
    errors.push({
      code: own.length > 1 ? 'manyAccounts' : 'partsDoNotSum',
      message: 'The splits of the transaction do not sum to the amount of one of its accounts.',
    })
  }
  const [only] = parts
  if (parts.length === 1 && only) {
    return [{ ...whole, errors, ...(only.category && { category: only.category }) }]
  }
  const legs = others.flatMap((row): SourceRow[] => {
    const pair = pairOf(row)
    return pair === undefined ? [] : [{ ...row, transfer: { account: whole.account, pair } }]
  })
  // An error of one row is an error of the whole transaction.
  return [{ ...whole, errors, parts }, ...(errors.length > 0 ? [] : legs)]
}

/** The rows of one transaction id are its splits: accounts of one's own, and categories. */
export function gnucashRows(): RowCombiner {
  let id = ''
  let open: SourceRow[] = []

  function release(): SourceRow[] {
    const rows = open.length > 0 ? transactionOf(open, id) : []
    open = []
    return rows.map(({ metadata: { originalAmount: _value, ...metadata }, ...row }) => ({
      ...row,
      metadata,
    }))
  }

  return {
    add(row) {
      const next = row.raw['Transaction ID'] ?? ''
      const before = next === '' || next === id ? [] : release()
      id = next === '' ? id : next
      open.push(row)
      return before
    },
    end: release,
  }
}
