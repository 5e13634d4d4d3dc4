import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { deleteImport, setImportMapping } from '../../../src/areas/intake/imports/imports.routes.ts'
import { createBudgetTemplate } from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { setLineTarget } from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import { fetchRaw, ok } from '../../support/api.ts'
import { newAccount } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { newBudget, newLine } from '../budgets/budgets.fixtures.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { newOwner, type Owner } from '../own-user/owners.fixtures.ts'
import { finish, start } from '../reconciliations/reconciling.ts'
import { book } from '../transactions/booking.ts'
import { matched } from '../transactions/matched-parts.fixtures.ts'
import { newClosedBooks } from './closed-books.fixtures.ts'

// Somebody with at least one row in every table of a backup, and with something of every kind in the trash.

/** What the tests attack by its name, beside what an owner has anyway. */
export interface WholeOwner extends Owner {
  /** Booked on `one`, with the file. */
  booked: string
  file: string
  /** An adjustment and an assertion that finishing a reconciliation made. */
  adjusted: string
  payee: string
  /** An import that the user deleted; what it booked on `one` still names it. */
  deletedImport: string
}

export async function newWholeOwner(): Promise<WholeOwner> {
  const as = await newOwner()
  await newClosedBooks(as)
  const account = { id: as.one }
  const booked = await book(as, account, { amount: '4', date: '2026-03-03', note: as.word })
  const about = { linkKind: 'transaction', linkId: booked.id }
  const { id: fileId } = await file(as, { query: about })
  await file(as, { query: { linkKind: 'account', linkId: as.one } })
  await leaveLabels(as)
  const whole = await book(as, account, {
    ...{ amount: '11', date: '2026-03-05', splits: [{ amount: '5' }, { amount: '6' }] },
  })
  const arrived = await book(
    as,
    { id: as.two },
    { kind: 'income', amount: '6', date: '2026-03-05' },
  )
  await matched(as, whole, whole.splits[1], arrived)
  const kept = await newAccount(as, { name: `Kept ${as.word}` })
  await book(as, kept, { amount: '3', date: '2026-03-10', description: 'Bakery' })
  await importInto(as, kept.id, ['2026-03-10,Bakery,-3.00', '2026-03-11,Cinema,-8.00'])
  await book(as, account, { amount: '6', date: '2026-03-13', description: 'Museum' })
  const ofOne = ['2026-03-12,Ferry,-9.00', '2026-03-13,Museum,-6.00']
  const deletedImport = await importInto(as, as.one, ofOne)
  await ok(deleteImport, { as, id: deletedImport })
  await planTargets(as)
  const owing = await newAccount(as, { name: `Compared ${as.word}`, openingBalance: '5' })
  const session = await start(as, owing, { statementDate: '2026-02-28', closingBalance: '5.50' })
  await finish(as, session, { adjust: true })
  const { id: payee } = await ok(createPayee, { as, json: { name: `Payee of ${as.word}` } })
  return { ...as, booked: booked.id, file: fileId, adjusted: owing.id, payee, deletedImport }
}

/** Imports a CSV file of a bank, and books it. */
async function importInto(as: Owner, accountId: string, lines: string[]): Promise<string> {
  const { id, state } = await uploaded(as, csv(lines), { accountId, fileName: `${accountId}.csv` })
  if (state === 'questions') {
    const json = { dateOrder: 'YMD', decimal: '.', sign: 'asIs' } as const
    await ok(setImportMapping, { as, id, json })
  }
  await committed(as, id)
  return id
}

/** A category, a tag and a payee in the trash, each with the lines that had it. */
async function leaveLabels(as: Owner): Promise<void> {
  const category = (name: string) =>
    ok(createCategory, { as, json: { name: `${name} ${as.word}`, kind: 'expense' } })
  const payee = (name: string) => ok(createPayee, { as, json: { name: `${name} ${as.word}` } })
  const [{ id: categoryId }, heir] = [await category('Gone'), await category('Heir')]
  const [{ id: payeeId }, taker] = [await payee('Gone'), await payee('Taker')]
  const { id: tagId } = await ok(createTag, { as, json: { name: `Gone ${as.word}` } })
  const labels = { categoryId, payeeId, tagIds: [tagId] }
  await book(as, { id: as.one }, { amount: '2', date: '2026-03-04', ...labels })
  await dropped(as, `/category/${categoryId}?reassignTo=${heir.id}`)
  await dropped(as, `/payee/${payeeId}?reassignTo=${taker.id}`)
  await dropped(as, `/tag/${tagId}`)
}

/** A budget with a target and a template, and one in the trash. */
async function planTargets(as: Owner): Promise<void> {
  const budget = await newBudget(as, { mode: 'envelope', name: `Plan ${as.word}` })
  const line = await newLine(as, budget, `Rent ${as.word}`)
  const target = { type: 'amount', amount: '10' } as const
  await ok(setLineTarget, { as, path: { id: budget.id, lineId: line.id }, json: target })
  const items = [{ lineId: line.id, amount: '10' }]
  await ok(createBudgetTemplate, { as, id: budget.id, json: { name: as.word, items } })
  const gone = await newBudget(as, { mode: 'limit', name: `Gone ${as.word}` })
  await dropped(as, `/budget/${gone.id}`)
}

async function dropped(as: Owner, path: string): Promise<void> {
  const headers = { Authorization: `Bearer ${as.accessToken}` }
  const { status } = await fetchRaw(path, { method: 'DELETE', headers })
  if (status >= 300) {
    throw new Error(`DELETE ${path}: ${status}`)
  }
}
