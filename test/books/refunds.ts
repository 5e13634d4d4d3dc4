import {
  accountOf,
  type Books,
  free,
  holding,
  inDirection,
  putSingle,
  text,
  type TransactionBody,
} from './books.ts'
import type { Line, Part } from './model.ts'

/** What of an expense can be given back, or of an income can give back: not what stayed with the owner. */
const spendable = ({ parts }: Line) =>
  parts.reduce((sum, { amount, transfer }) => (transfer ? sum : sum + amount), 0n)

const isWhole = ({ parts }: Line) => parts.length === 1

/** Shares of a total by weights, each cut to whole units; the last one takes the rest. */
function sharesOf(total: bigint, weights: bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  const cut = weights.map((weight) => (total * weight) / whole)
  const rest = total - cut.reduce((sum, share) => sum + share, 0n)
  return cut.map((share, at) => (at === cut.length - 1 ? share + rest : share))
}

/** The parts that an income without a category takes from an expense, as amounts of the income. */
function takenFrom(income: Line, expense: Line): Part[] | undefined {
  const weighed = isWhole(expense)
    ? expense.parts
    : expense.parts.filter(({ amount, transfer }) => amount > 0n && !transfer)
  const shares = sharesOf(
    income.signed,
    weighed.map(({ amount }) => amount),
  )
  const taken = weighed
    .map(({ categoryId }, at) => ({ categoryId, amount: shares[at] ?? 0n }))
    .filter(({ amount }) => amount > 0n)
  return taken.some(({ categoryId }) => categoryId !== null) ? taken : undefined
}

/** Links an income to an expense, which may give it a category, and takes the link off: it would hold both amounts. */
export async function refund(books: Books): Promise<void> {
  const { random, send } = books
  const incomes = free(books, (line) => line.kind === 'income' && spendable(line) !== 0n)
  const bare = incomes.filter((line) => isWhole(line) && line.parts[0]?.categoryId === null)
  const expenses = free(books, (line) => line.kind === 'expense' && spendable(line) !== 0n)
  const some = bare.length > 0 && random.chance(0.8) ? bare : incomes
  if (some.length === 0 || expenses.length === 0) {
    return
  }
  const [income, expense] = [random.pick(some), random.pick(expenses)]
  await holding(books, [income.header, expense.header], async () => {
    const setCategory = random.chance(0.8)
    const link = await send<{ id: string }>('POST', `/transaction/${income.id}/link`, {
      kind: random.pick(['refundOf', 'reimburses']),
      transactionId: expense.id,
      amount: text(1n, accountOf(books, expense.accountId).currency),
      force: true,
      ...(setCategory ? {} : { setCategory }),
    })
    const body = await send<TransactionBody>('GET', `/transaction/${income.id}`)
    const taken = setCategory && bare.includes(income) ? takenFrom(income, expense) : undefined
    if (taken) {
      putSingle(books, body, { ...income, parts: inDirection(taken, income.signed) })
    }
    await send('DELETE', `/transaction/${income.id}/link/${link.id}`)
  })
}
