import {
  accountOf,
  addCategory,
  amountsOf,
  anyCategory,
  anyDate,
  anySingle,
  anyTransfer,
  type Books,
  categoryFor,
  free,
  holding,
  inDirection,
  movedBy,
  putChanged,
  putSingle,
  putTransfer,
  sentPart,
  text,
  type TransactionBody,
  type TransferBody,
} from './books.ts'
import { hasMatched, matchPart, unmatchPart } from './matching.ts'
import type { Line, Part, Status } from './model.ts'
import { lockAndUnlock } from './locks.ts'
import { refund } from './refunds.ts'

type Step = (books: Books) => Promise<unknown>

interface Single extends TransactionBody {
  kind: string
}

const isSingle = ({ kind }: Line) => kind !== 'transfer'
const isTransfer = ({ header }: Line) => header.startsWith('trf_')
/** Sides of transfers, and of parts that are. */
const isLeg = ({ kind }: Line) => kind === 'transfer'
const hasTransfers = ({ parts }: Line) => parts.some(({ transfer }) => transfer)
const isSplit = (line: Line) => isSingle(line) && line.parts.length > 1

/** A step on some transaction that fits; where there is none, something new is booked. */
const on =
  (
    isFit: (line: Line, books: Books) => boolean,
    run: (books: Books, line: Line) => Promise<unknown>,
  ): Step =>
  (books) => {
    const fitting = free(books, (one) => isFit(one, books))
    const line = fitting.length > 0 ? books.random.pick(fitting) : undefined
    return line ? holding(books, [line.header], () => run(books, line)) : create(books)
  }

let serial = 0

const create: Step = async (books) => {
  const { json, line } = anySingle(books)
  const said = books.random.chance(0.3) ? { externalId: `bank-${++serial}` } : {}
  const body = await books.send<Single>('POST', '/transaction', { ...json, ...said })
  putSingle(books, body, { ...line, ...said })
}

/** The bank sends a row again: it is booked once. */
const repeat = on(
  ({ externalId }) => externalId !== undefined,
  async (books, { id, accountId, externalId }) => {
    const { json } = anySingle(books, accountOf(books, accountId))
    const again = await books.send<Single>('POST', '/transaction', { ...json, externalId })
    if (again.id !== id) {
      throw new Error(`${externalId} was ${id} and is ${again.id}`)
    }
  },
)

/** A part that was matched stays a transfer. */
const isUnmatched = (line: Line, books: Books) => isSingle(line) && !hasMatched(books, line)

/** Makes a transaction over into any other, on any account. */
const rewrite = on(isUnmatched, async (books, now) => {
  const { id, kind, accountId, externalId } = now
  // Only an adjustment stays on its account.
  const account = kind === 'adjustment' ? accountOf(books, accountId) : undefined
  let { json, line } = anySingle(books, account)
  // A transfer has to be told what becomes of it.
  while (hasTransfers(now) && !json['splits']) {
    ;({ json, line } = anySingle(books, account))
  }
  const body = await books.send<Single>('PATCH', `/transaction/${id}`, {
    ...(json.splits ? {} : { splits: [] }),
    ...json,
    force: true,
  })
  putSingle(books, body, { ...line, ...(externalId === undefined ? {} : { externalId }) })
})

const change = async (books: Books, line: Line, changes: { status?: Status; date?: string }) => {
  await books.send('PATCH', `/transaction/${line.id}`, { ...changes, force: true })
  if (isLeg(line)) {
    books.model.put({ ...line, ...changes })
  } else {
    putChanged(books, line, changes)
  }
}

const setStatus = on(isSingle, (books, line) =>
  change(books, line, {
    status: books.random.pick<Status>(['pending', 'uncleared', 'cleared', 'reconciled', 'void']),
  }),
)

/** Of one leg only, which void ones do not allow. */
const setLegStatus = on(
  (line) => isLeg(line) && line.status !== 'void',
  (books, line) =>
    change(books, line, {
      status: books.random.pick<Status>(['pending', 'uncleared', 'cleared', 'reconciled']),
    }),
)

const redate = on(isSingle, (books, line) => change(books, line, { date: anyDate(books) }))

const setCategory = on(isSplit, async (books, line) => {
  const { random, send, model } = books
  const part = random.pick(line.parts)
  const isIncome = line.kind === 'income' && !part.transfer
  const categoryId = categoryFor(books, isIncome ? 'income' : 'expense')
  const json = { categoryId, force: true }
  const body = await send<Single>('PATCH', `/transaction/${line.id}/split/${part.id}`, json)
  const leg = body.splits.find(({ id }) => id === part.id)?.transfer?.transactionId
  const other = leg === undefined ? undefined : model.lines.get(leg)
  if (other) {
    model.put({ ...other, categoryId })
  }
  const parts = line.parts.map((one) => (one === part ? { ...one, categoryId } : one))
  model.put({ ...line, parts })
})

/** Keeps one part, and makes the others anew. */
const resplit = on(
  (line, books) => isUnmatched(line, books) && line.kind !== 'adjustment',
  async (books, line) => {
    const { currency } = accountOf(books, line.accountId)
    const size = line.signed < 0n ? -line.signed : line.signed
    const [kept] = line.parts
    const parts = amountsOf(books, size).map((amount, at): Part => {
      const { categoryId = null, transfer } = line.parts[at] ?? {}
      // A transfer stays one where it is kept, and becomes an ordinary part where another one takes its place.
      if (at > 0 || !kept?.id || !transfer) {
        return { amount, categoryId: transfer ? null : categoryId }
      }
      const leg = books.model.lines.get(transfer.legId ?? '')
      const [from, to] = [accountOf(books, line.accountId), accountOf(books, transfer.accountId)]
      const signed = movedBy(books, line.signed < 0n ? amount : -amount, from, to)
      return {
        amount,
        categoryId,
        transfer: { ...transfer, signed, status: leg?.status ?? transfer.status },
      }
    })
    const json = {
      splits: parts.map((part, at) => ({
        ...sentPart(books, part),
        amount: text(part.amount, currency),
        ...(at === 0 && kept?.id ? { id: kept.id } : {}),
      })),
      force: true,
    }
    const body = await books.send<Single>('PUT', `/transaction/${line.id}/split`, json)
    putSingle(books, body, { ...line, parts: inDirection(parts, line.signed) })
  },
)

const unsplit = on(
  (line) => isSplit(line) && !hasTransfers(line),
  async (books, line) => {
    await books.send('DELETE', `/transaction/${line.id}/split?force=true`)
    const [amount] = inDirection(
      [{ amount: line.signed < 0n ? -line.signed : line.signed, categoryId: null }],
      line.signed,
    )
    books.model.put({ ...line, parts: amount ? [amount] : [] })
  },
)

const transfer: Step = async (books) => {
  const wanted = anyTransfer(books)
  putTransfer(books, await books.send<TransferBody>('POST', '/transfer', wanted.json), wanted)
}

const rewriteTransfer = on(isTransfer, async (books, { header }) => {
  const wanted = anyTransfer(books)
  const json = { ...wanted.json, force: true }
  const body = await books.send<TransferBody>('PUT', `/transfer/${header}`, json)
  putTransfer(books, body, wanted)
})

/** Says something else of a transfer, and moves no money. */
const recategorise = on(isTransfer, async (books, { header }) => {
  const { send, model } = books
  const legs = model.legsOf(header)
  const categoryId = anyCategory(books, 'expense')
  const parts = (legs[0]?.parts ?? []).map((fee) => ({
    ...{ ...fee, categoryId: anyCategory(books, 'expense') },
  }))
  const { currency } = accountOf(books, legs[0]?.accountId ?? '')
  const fees = parts.map(({ amount, ...fee }) => ({ ...fee, amount: text(amount, currency) }))
  await send('PUT', `/transfer/${header}`, { categoryId, fees, force: true })
  model.put(...legs.map((leg) => ({ ...leg, categoryId, parts: leg.line === 1 ? parts : [] })))
})

const pathOf = (line: Line) => `/${isTransfer(line) ? 'transfer' : 'transaction'}/${line.header}`

/** As it looks, but for what tells that somebody was at it. */
const imageOf = async ({ send }: Books, path: string) =>
  JSON.stringify(await send('GET', path), (key, value: unknown) =>
    key === 'version' || key === 'updatedAt' ? undefined : value,
  )

const remove = on(
  () => true,
  async (books, line) => {
    const path = pathOf(line)
    const image = await imageOf(books, path)
    await books.send('DELETE', `${path}?force=true`)
    const kind = isTransfer(line) ? 'transfer' : 'transaction'
    books.trash.set(line.header, { path, kind, image, lines: books.model.drop(line.header) })
  },
)

const restore: Step = async (books) => {
  const [header] = [...books.trash.keys()]
  const trashed = books.trash.get(header ?? '')
  if (!header || !trashed) {
    await remove(books)
    return
  }
  const { kind, path, image, lines } = trashed
  books.trash.delete(header)
  await books.send('POST', `/trash/${kind}/${header}/restore`)
  const restored = await imageOf(books, path)
  if (restored !== image) {
    throw new Error(`${path} was ${image} and came back as ${restored}`)
  }
  books.model.put(...lines)
}

/** An expense, and an income on another account that fits it, become a transfer. */
const match = on(
  (line) => line.kind === 'expense' && line.status !== 'void' && line.parts.length === 1,
  async (books, from) => {
    const { currency } = accountOf(books, from.accountId)
    const [to] = free(
      books,
      (line) =>
        line.kind === 'income' &&
        line.status !== 'void' &&
        line.parts.length === 1 &&
        line.accountId !== from.accountId &&
        (accountOf(books, line.accountId).currency !== currency || line.signed === -from.signed),
    )
    if (!to) {
      return
    }
    await holding(books, [to.header], async () => {
      const categoryId = anyCategory(books, 'expense')
      const sides = { fromTransactionId: from.id, toTransactionId: to.id }
      const json = { ...sides, categoryId, force: true }
      const made = await books.send<TransferBody>('POST', '/transfer/match', json)
      books.model.drop(from.header)
      books.model.drop(to.header)
      const said = { kind: 'transfer' as const, date: from.date, parts: [], categoryId }
      const shared = { header: made.id, ...said }
      books.model.put(
        { ...from, ...shared, id: made.from.id, line: 1 },
        { ...to, ...shared, id: made.to.id, line: 2 },
      )
      books.matched.set(made.id, { from, to })
    })
  },
)

/** Both legs come back as rows of their own: matched ones as they were, with what the legs have become. */
const unmatch = on(
  (line) => isTransfer(line) && line.status !== 'void',
  async (books, { header }) => {
    const [from, to] = books.model.legsOf(header)
    if (!from || !to) {
      throw new Error(`${header} has no legs`)
    }
    const body = await books.send<{ from: Single; to: Single }>(
      'POST',
      `/transfer/${header}/unmatch?force=true`,
    )
    const before = books.matched.get(header)
    books.model.drop(header)
    books.matched.delete(header)
    books.model.put(
      asRow(from, { kind: 'expense', body: body.from, before: before?.from, of: before?.from }),
      asRow(to, { kind: 'income', body: body.to, before: before?.to, of: before?.from }),
    )
  },
)

function asRow(
  leg: Line,
  {
    kind,
    body,
    before,
    of,
  }: { kind: 'expense' | 'income'; body: Single; before: Line | undefined; of: Line | undefined },
): Line {
  const fees = leg.parts
  const whole = [{ amount: -leg.signed, categoryId: before?.parts[0]?.categoryId ?? null }]
  const moved = fees.reduce((left, { amount }) => left - amount, -leg.signed)
  const parts = fees.length > 0 && !before ? [{ amount: moved, categoryId: null }, ...fees] : whole
  return {
    ...leg,
    kind,
    categoryId: null,
    id: body.id,
    header: body.id,
    line: 1,
    // A day that nobody has changed since is still that of each row.
    date: before && leg.date === of?.date ? before.date : leg.date,
    parts: parts.map((part, at) => {
      const split = body.splits[at]
      return { ...part, ...(split ? { id: split.id } : {}) }
    }),
  }
}

const AT_ONCE = 12

const createMany: Step = async (books) => {
  // An adjustment shows in its account's history, and so goes alone.
  const wanted = Array.from({ length: books.random.whole(1, AT_ONCE) }, () =>
    anySingle(books),
  ).filter(({ line }) => line.kind !== 'adjustment')
  if (wanted.length === 0) {
    await create(books)
    return
  }
  const { results } = await books.send<{ results: { transaction: Single }[] }>(
    'POST',
    '/transaction/bulk',
    { transactions: wanted.map(({ json }) => json) },
  )
  for (const [at, { line }] of wanted.entries()) {
    const booked = results[at]?.transaction
    putSingle(books, booked ?? { id: '', splits: [] }, line)
  }
}

/** Several that nobody is at work on. */
async function onMany(
  books: Books,
  run: (lines: Line[]) => Promise<unknown>,
  isFit: (line: Line) => boolean = () => true,
): Promise<void> {
  const fitting = free(books, (line) => isSingle(line) && line.kind !== 'adjustment' && isFit(line))
  const start = books.random.whole(0, Math.max(0, fitting.length - AT_ONCE))
  const some = fitting.slice(start, start + AT_ONCE)
  if (some.length > 0) {
    await holding(
      books,
      some.map(({ header }) => header),
      () => run(some),
    )
  }
}

const changeMany: Step = (books) =>
  onMany(books, async (lines) => {
    const changes: { status?: Status; date?: string } = books.random.chance(0.5)
      ? { status: books.random.pick<Status>(['pending', 'cleared', 'reconciled', 'void']) }
      : { date: anyDate(books) }
    const ids = lines.map(({ id }) => id)
    await books.send('PATCH', '/transaction/bulk', { ids, changes, force: true })
    for (const line of lines) {
      putChanged(books, line, changes)
    }
  })

/** Expenses become others, and incomes refunds. */
const categoriseMany: Step = (books) =>
  onMany(
    books,
    async (lines) => {
      const categoryId = categoryFor(books, 'expense')
      const ids = lines.map(({ id }) => id)
      const json = { ids, changes: { categoryId }, force: true }
      await books.send('PATCH', '/transaction/bulk', json)
      const given = (line: Line) => line.parts.map((part) => ({ ...part, categoryId }))
      books.model.put(...lines.map((line) => ({ ...line, parts: given(line) })))
    },
    (line) => !isSplit(line),
  )

const removeMany: Step = (books) =>
  onMany(books, async (lines) => {
    const images = await Promise.all(lines.map((line) => imageOf(books, pathOf(line))))
    const ids = lines.map(({ id }) => id)
    await books.send('POST', '/transaction/bulk-delete', { ids, force: true })
    for (const [at, line] of lines.entries()) {
      const [path, image] = [pathOf(line), images[at] ?? '']
      const gone = books.model.drop(line.header)
      books.trash.set(line.header, { path, kind: 'transaction', image, lines: gone })
    }
  })

const OFTEN: Step[] = [create, create, create, create, rewrite, rewrite, transfer, rewriteTransfer]
const SELDOM: Step[] = [
  ...[repeat, setStatus, setLegStatus, redate, setCategory, recategorise, resplit, unsplit],
  ...[remove, restore, restore, restore, match, unmatch, createMany, changeMany, removeMany],
  ...[categoriseMany, refund, refund, matchPart, matchPart, unmatchPart],
]

const anyStep = (books: Books) =>
  books.random.pick(books.random.chance(0.5) ? OFTEN : SELDOM)(books)

/** One category takes the place of another, on lines of all kinds; a new one keeps their number. */
async function merge(books: Books): Promise<void> {
  const { random, categories, model, trash, matched, matchedParts } = books
  const kind = random.pick(['expense', 'income'] as const)
  const gone = categories[kind].pop()
  const into = random.pick(categories[kind]).id
  await books.send('POST', `/category/${into}/merge`, { categoryId: gone?.id })
  const renamed = (line: Line): Line => ({
    ...line,
    ...(line.categoryId === gone?.id ? { categoryId: into } : {}),
    parts: line.parts.map((part) =>
      part.categoryId === gone?.id ? { ...part, categoryId: into } : part,
    ),
  })
  model.put(...[...model.lines.values()].map(renamed))
  for (const [header, trashed] of trash) {
    const image = trashed.image.replaceAll(gone?.id ?? '', into)
    trash.set(header, { ...trashed, image, lines: trashed.lines.map(renamed) })
  }
  for (const [header, { from, to }] of matched) {
    matched.set(header, { from: renamed(from), to: renamed(to) })
  }
  const named = <Named extends { categoryId?: string | null }>(one: Named): Named =>
    one.categoryId === gone?.id ? { ...one, categoryId: into } : one
  for (const [id, { row, part, leg, date }] of matchedParts) {
    matchedParts.set(id, { row: renamed(row), part: named(part), leg: leg && named(leg), date })
  }
  await addCategory(books, kind)
}

/** An account goes to the trash, and comes back with all that hangs on it. */
async function trashAccount(books: Books): Promise<void> {
  const { id } = books.random.pick(books.accounts)
  const path = `/account/${id}`
  const image = await imageOf(books, path)
  await books.send('DELETE', path)
  await books.send('POST', `/trash/account/${id}/restore`)
  const restored = await imageOf(books, path)
  if (restored !== image) {
    throw new Error(`${path} was ${image} and came back as ${restored}`)
  }
}

/** At most so many steps between two that everybody else has to wait for. */
const TOGETHER = 100

/** Keeps the books for so many steps, by so many hands at once. */
export async function keep(books: Books, steps: number, hands: number): Promise<void> {
  for (let done = 0; done < steps;) {
    let left = Math.min(TOGETHER, steps - done)
    done += left
    const work = async () => {
      while (left > 1) {
        left -= 1
        await anyStep(books)
      }
    }
    await Promise.all(Array.from({ length: hands }, work))
    await books.random.pick([merge, trashAccount, lockAndUnlock])(books)
  }
}
