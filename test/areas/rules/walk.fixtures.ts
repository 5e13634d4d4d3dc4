import {
  applied,
  type Condition,
  type Known,
  meets,
  moneyText,
  type Outcome,
  type Part,
  type Rule,
  type Seen,
} from './expected.fixtures.ts'

// The books beside which rules walk: what the service should have stored by now.

/** All of a transaction that its two legs have in common where it is a transfer. */
type Head = Omit<Seen, 'accountId' | 'currency' | 'minor' | 'status' | 'transferAccountId'> & {
  version: number
}

/** A transaction as one account sees it. */
export interface Leg {
  id: string
  accountId: string
  currency: string
  /** Negative where money leaves. */
  minor: number
  status: string
  head: Head
}

export interface Label {
  id: string
  kind: 'category' | 'payee' | 'tag'
  name: string
  isIncome: boolean
  archived: boolean
  /** In the trash, or merged for good. */
  gone?: 'trashed' | 'merged'
  aliases: string[]
  /** The usual category of a payee. */
  usual: string | null
}

export interface StoredRule extends Rule {
  name: string
  active: boolean
  version: number
}

/** A new transaction as a request sends it. */
export interface Draft {
  kind: 'expense' | 'income' | 'adjustment' | 'transfer'
  accountId: string
  date: string
  amount: string
  payeeRaw?: string
  payeeId?: string | null
  categoryId?: string | null
  description?: string
  note?: string | null
  tagIds?: string[]
  status?: 'pending' | 'uncleared' | 'cleared' | 'void'
  reviewed?: boolean
  private?: boolean
  metadata?: Record<string, unknown>
  splits?: { amount: string; categoryId: string | null }[]
  applyRules?: boolean
  /** The other account of a transfer, which has the same status there. */
  toAccountId?: string
}

const OF_REQUESTS = [
  ...(['payeeId', 'categoryId', 'description', 'note', 'status', 'reviewed', 'splits'] as const),
]

export const newBooks = () => ({
  accounts: new Map<string, string>(),
  labels: new Map<string, Label>(),
  rules: [] as StoredRule[],
  trash: new Map<string, StoredRule>(),
  legs: [] as Leg[],
})

export type Books = ReturnType<typeof newBooks>

const minorOf = (amount: string): number => Math.abs(Number(amount.replace('.', '')))

/** The labels that can be used. */
export const usable = ({ labels }: Books, kind: Label['kind']): Label[] =>
  [...labels.values()].filter((one) => one.kind === kind && !one.archived && !one.gone)

const isUsable = ({ labels, accounts }: Books, id: string): boolean => {
  const label = labels.get(id)
  return accounts.has(id) || (label !== undefined && !label.archived && !label.gone)
}

const IDS = /(?:cat|pay|tag|acc)_[0-9a-z]+/g

/** The ids in a rule that are gone or archived, sorted. */
export const brokenIn = (books: Books, { condition, changes }: Rule): string[] =>
  [...new Set(JSON.stringify([condition, changes]).match(IDS))]
    .filter((id) => !isUsable(books, id))
    .toSorted()

/** The rules that work, in their order. */
export const workingRules = (books: Books): StoredRule[] =>
  books.rules.filter((rule) => brokenIn(books, rule).length === 0)

const knownIn = (books: Books): Known => ({
  isOfIncomes: (id) => books.labels.get(id)?.isIncome ?? false,
  nameOf: (id) => books.labels.get(id)?.name ?? '',
  currencyOf: (id) => books.accounts.get(id),
})

/** What a new transaction becomes, without ids: one leg, or the two of a transfer. */
export function recorded(books: Books, draft: Draft, source: 'user' | 'import'): Omit<Leg, 'id'>[] {
  const { accountId } = draft
  const currency = books.accounts.get(accountId) ?? ''
  const minor = minorOf(draft.amount)
  const meant = usable(books, 'payee').find(
    ({ aliases, name }) =>
      draft.payeeRaw !== undefined && [...aliases, name].includes(draft.payeeRaw),
  )
  const before: Seen = {
    ...{ kind: draft.kind, accountId, currency, minor, date: draft.date, source },
    ...{ private: draft.private ?? false, metadata: draft.metadata ?? null },
    payeeRaw: draft.payeeRaw ?? null,
    description: draft.description ?? '',
    note: draft.note ?? null,
    payeeId: draft.payeeId === undefined ? (meant?.id ?? null) : draft.payeeId,
    categoryId: draft.categoryId ?? null,
    tagIds: draft.tagIds ?? [],
    status: draft.status ?? (source === 'import' ? 'cleared' : 'uncleared'),
    reviewed: draft.reviewed ?? false,
    splits: (draft.splits ?? []).map(({ amount, categoryId }) => ({
      ...{ minor: minorOf(amount), categoryId, payeeId: null, tagIds: [], note: null },
    })),
  }
  const after = draft.applyRules === false ? before : ruled(books, draft, before)
  const { status, transferAccountId, minor: _, accountId: _a, currency: _c, ...head } = after
  const leaves = ['expense', 'transfer'].includes(draft.kind) || draft.amount.startsWith('-')
  const signed = leaves ? -minor : minor
  const own = { accountId, currency, minor: signed, status, head: { ...head, version: 1 } }
  const { toAccountId = transferAccountId } = draft
  return toAccountId === undefined
    ? [own]
    : [
        own,
        {
          ...{ ...own, accountId: toAccountId, minor: -signed },
          ...(transferAccountId === undefined ? {} : { status: 'uncleared' }),
        },
      ]
}

/** What the rules make of a draft, and the usual category of its payee. */
function ruled(books: Books, draft: Draft, before: Seen): Seen {
  const isRequest = before.source === 'user'
  const said = new Set(isRequest ? OF_REQUESTS.filter((field) => draft[field] !== undefined) : [])
  const active = workingRules(books).filter((rule) => rule.active)
  const occasion = isRequest ? 'record' : 'import'
  const { after, by } = applied(active, before, { known: knownIn(books), said, occasion })
  const usual = after.payeeId === null ? null : (books.labels.get(after.payeeId)?.usual ?? null)
  const isOpen =
    ['expense', 'income'].includes(after.kind) &&
    after.categoryId === null &&
    after.splits.length === 0 &&
    !by.has('categoryId') &&
    draft.categoryId === undefined
  const fits = (label: Label | undefined) =>
    label && !label.archived && !label.gone && (after.kind === 'income' || !label.isIncome)
  return isOpen && usual !== null && fits(books.labels.get(usual))
    ? { ...after, categoryId: usual }
    : after
}

/** A leg as the service shows it. */
export function shownOf({ id, accountId, currency, minor, status, head }: Leg) {
  const { splits, ...rest } = head
  return {
    ...{ id, accountId, currency, status, ...rest },
    amount: moneyText(Math.abs(minor), currency),
    signedAmount: moneyText(minor, currency),
    tagIds: rest.tagIds.toSorted(),
    splits: splits.map((part) => shownPart(part, currency)),
  }
}

export const shownPart = ({ minor, ...part }: Part, currency: string) => ({
  ...part,
  amount: moneyText(minor, currency),
  tagIds: part.tagIds.toSorted(),
})

const seenOf = ({ accountId, currency, minor, status, head }: Leg): Seen => ({
  ...{ ...head, accountId, currency, minor: Math.abs(minor), status },
})

export const isMet = ({ labels }: Books, condition: Condition, leg: Leg): boolean => {
  const seen = seenOf(leg)
  const payees = [seen.payeeId, ...seen.splits.map(({ payeeId }) => payeeId)]
  return meets(condition, {
    ...seen,
    payeeNames: payees.flatMap((id) => labels.get(id ?? '')?.name ?? []),
  })
}

export interface RunWishes {
  ruleIds?: string[]
  rule?: Omit<Rule, 'id'>
  overwrite?: boolean
  withReviewed?: boolean
  force?: boolean
  expectedVersions?: Record<string, number>
}

export interface RunOutcome extends Outcome {
  leg: Leg
  /** The code of the refusal, where the change would be refused. */
  code?: string
}

/** What a run does with these transactions, one outcome for each that a rule matches. */
export function run(books: Books, legs: Leg[], wishes: RunWishes): RunOutcome[] {
  const { rule, ruleIds, overwrite, withReviewed, force, expectedVersions = {} } = wishes
  const rules = rule
    ? [{ ...rule, id: '' }]
    : workingRules(books).filter(({ id, active }) => ruleIds?.includes(id) ?? active)
  return legs.flatMap((leg): RunOutcome[] => {
    const seen = seenOf(leg)
    if (leg.head.reviewed && !withReviewed) {
      return []
    }
    const fields = ['categoryId', 'payeeId', 'description', 'note'] as const
    const said = new Set(fields.filter((field) => seen[field]))
    const known = { ...knownIn(books), currencyOf: () => undefined }
    const outcome = applied(rules, seen, { known, said, overwrite })
    if (!outcome.isMatched) {
      return []
    }
    for (const field of outcome.by.keys()) {
      const sides = [seen, outcome.after].map((one) => one[field as keyof Seen])
      const [before, after] = sides.map((one) =>
        JSON.stringify(field === 'tagIds' ? (one as string[]).toSorted() : one),
      )
      // What a later rule puts back did not change; parts that are made again are others.
      if (before === after && field !== 'splits') {
        outcome.by.delete(field)
      }
    }
    const isHeld = leg.status === 'reconciled' && !force
    const expected = expectedVersions[leg.id] ?? leg.head.version
    const code =
      expected !== leg.head.version
        ? 'request.conflict'
        : isHeld && (outcome.by.has('status') || outcome.by.has('splits'))
          ? 'transactions.reconciled'
          : undefined
    return [{ ...outcome, leg, ...(code !== undefined && outcome.by.size > 0 ? { code } : {}) }]
  })
}

/** Stores what a run made of a transaction. */
export function store({ leg, after, by }: RunOutcome): void {
  const { status, transferAccountId: _, accountId: _a, currency: _c, minor: _m, ...head } = after
  if (by.size > 0) {
    leg.status = status
    Object.assign(leg.head, head, { version: leg.head.version + 1 })
  }
}

/** Puts a label in the place of another one, or none, wherever the books have it. */
export function relabel(books: Books, from: Label, to: string | null): void {
  const one = (id: string | null) => (id === from.id ? to : id)
  const all = (ids: string[]) => [...new Set(ids.flatMap((id) => one(id) ?? []))]
  for (const head of new Set(books.legs.map((leg) => leg.head))) {
    const before = JSON.stringify(head)
    const swap = (it: { categoryId: string | null; payeeId: string | null; tagIds: string[] }) => {
      it.categoryId = one(it.categoryId)
      it.payeeId = one(it.payeeId)
      it.tagIds = all(it.tagIds)
    }
    swap(head)
    head.splits.forEach(swap)
    head.version += JSON.stringify(head) === before ? 0 : 1
  }
  for (const payee of books.labels.values()) {
    payee.usual = one(payee.usual)
  }
  if (to !== null) {
    for (const rule of [...books.rules, ...books.trash.values()]) {
      const before = JSON.stringify([rule.condition, rule.changes])
      const after = before.replaceAll(from.id, to)
      if (after !== before) {
        ;[rule.condition, rule.changes] = JSON.parse(after) as [Condition, Rule['changes']]
        rule.version += 1
      }
    }
  }
}
