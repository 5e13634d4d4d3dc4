// What rules are expected to do, written from their description alone: it shares no code with the service.

/** A part of a transaction, in minor units of its account; money that goes the other way is negative. */
export interface Part {
  minor: number
  categoryId: string | null
  payeeId: string | null
  tagIds: string[]
  note: string | null
}

/** A transaction as rules see it. */
export interface Seen {
  kind: string
  accountId: string
  currency: string
  /** Without its sign. */
  minor: number
  date: string
  source: string
  private: boolean
  metadata: Record<string, unknown> | null
  payeeRaw: string | null
  description: string
  note: string | null
  payeeId: string | null
  categoryId: string | null
  tagIds: string[]
  status: string
  reviewed: boolean
  splits: Part[]
  transferAccountId?: string
  /** In searches, which look at them too. */
  payeeNames?: string[]
}

type Value = string | boolean | string[] | { key: string; value?: string }

export interface Condition {
  all?: Condition[]
  any?: Condition[]
  not?: Condition
  field?: string
  op?: string
  value?: Value
}

interface Size {
  fixed?: string
  percent?: string
  percentOf?: string
  rest?: number
}

interface RulePart extends Size {
  categoryId?: string | null
  payeeId?: string | null
  tagIds?: string[]
  note?: string | null
}

interface Changes {
  categoryId?: string | null | undefined
  payeeId?: string | null | undefined
  description?: string | null
  note?: string | null | undefined
  addTagIds?: string[]
  removeTagIds?: string[]
  status?: string
  reviewed?: boolean
  splits?: RulePart[]
  transferAccountId?: string
}

/** A rule as the service shows it. */
export interface Rule {
  id: string
  condition: Condition
  changes: Changes
  on: string[]
  overwrite: boolean
  stop: boolean
}

export const DIGITS: Record<string, number> = { EUR: 2, JPY: 0, BHD: 3 }

const digitsOf = (currency: string) => DIGITS[currency] ?? 2

/** Decimal text of minor units. */
export function moneyText(minor: number, currency: string): string {
  const digits = digitsOf(currency)
  const text = String(Math.abs(minor)).padStart(digits + 1, '0')
  const at = text.length - digits
  const whole = digits === 0 ? text : `${text.slice(0, at)}.${text.slice(at)}`
  return minor < 0 ? `-${whole}` : whole
}

/** The number of a decimal text in millionths, so that amounts of all currencies compare. */
function millionths(text: string): bigint {
  const [whole = '', decimals = ''] = text.split('.')
  return BigInt(whole + decimals.padEnd(6, '0'))
}

const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' }

/** Words without case, accents and signs. */
export const folded = (text: string | null): string =>
  (text ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[ßæœøłđ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFC')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .join(' ')

function isText(op: string, value: string, text: string | null): boolean {
  const [key, wanted] = [folded(text), folded(value)]
  switch (op) {
    case 'is':
      return key === wanted
    case 'contains':
      return key.includes(wanted)
    case 'word':
      return ` ${key} `.includes(` ${wanted} `)
    case 'like':
      // Letters and numbers alone are left of a key, which mean themselves in an expression.
      return new RegExp(`^${value.split('*').map(folded).join('.*')}$`, 'su').test(key)
    default:
      return key === ''
  }
}

/** The first and last day of a date, a month, a quarter or a year. */
function daysOf(text: string): [string, string] {
  const [year = '', rest] = text.split('-')
  if (rest === undefined) {
    return [`${year}-01-01`, `${year}-12-31`]
  }
  if (rest.startsWith('Q')) {
    const last = Number(rest.slice(1)) * 3
    const two = (month: number) => String(month).padStart(2, '0')
    return [`${year}-${two(last - 2)}-01`, `${year}-${two(last)}-31`]
  }
  return text.length === 7 ? [`${text}-01`, `${text}-31`] : [text, text]
}

function isWithin<Value extends bigint | string>(
  op: string,
  at: Value,
  [least, most]: [Value, Value],
): boolean {
  switch (op) {
    case 'from':
      return at >= least
    case 'to':
      return at <= most
    case 'above':
      return at > most
    case 'below':
      return at < least
    default:
      return at >= least && at <= most
  }
}

/** True if a transaction meets a condition. */
export function meets(condition: Condition, seen: Seen): boolean {
  const { all, any, not, field, op = '', value = '' } = condition
  if (all) {
    return all.every((one) => meets(one, seen))
  }
  if (any) {
    return any.some((one) => meets(one, seen))
  }
  if (not) {
    return !meets(not, seen)
  }
  const texts = [value].flat().filter((one) => typeof one === 'string')
  const [text = ''] = texts
  const among = (ids: (string | null)[]) => ids.some((id) => id !== null && texts.includes(id))
  const isSplit = seen.splits.length > 0
  const hasCategories = ['expense', 'income'].includes(seen.kind)
  const categories = isSplit ? seen.splits.map((part) => part.categoryId) : [seen.categoryId]
  switch (field) {
    case 'text':
      return [seen.description, seen.payeeRaw, seen.note, ...(seen.payeeNames ?? [])].some((one) =>
        isText(op, text, one),
      )
    case undefined:
      throw new Error('a comparison has a field')
    case 'description':
    case 'payeeRaw':
    case 'note':
      return isText(op, text, seen[field])
    case 'amount': {
      const [first, last = first] = texts.map(millionths) as [bigint, bigint?]
      return isWithin(op, millionths(moneyText(seen.minor, seen.currency)), [first, last])
    }
    case 'date': {
      const days = texts.map(daysOf)
      return isWithin(op, seen.date, [days[0]?.[0] ?? '', days.at(-1)?.[1] ?? ''])
    }
    case 'kind':
    case 'status':
    case 'source':
    case 'currency':
    case 'accountId':
      return among([seen[field]])
    case 'categoryId':
      return op === 'isEmpty' ? categories.includes(null) : among(categories)
    case 'payeeId': {
      const ids = [seen.payeeId, ...seen.splits.map((part) => part.payeeId)]
      return op === 'isEmpty' ? ids.every((id) => id === null) : among(ids)
    }
    case 'tagId': {
      const ids = [...seen.tagIds, ...seen.splits.flatMap((part) => part.tagIds)]
      return op === 'isEmpty' ? ids.length === 0 : among(ids)
    }
    case 'uncategorised':
      return value === (hasCategories && categories.includes(null))
    case 'isSplit':
      return value === isSplit
    case 'reviewed':
    case 'private':
      return value === seen[field]
    case 'metadata': {
      const wanted = value as { key: string; value?: string }
      const found = seen.metadata?.[wanted.key]
      return (
        found !== undefined &&
        (op === 'exists' || [wanted.value, Number(wanted.value)].includes(found as string))
      )
    }
    default:
      throw new Error(`the model knows no ${field}`)
  }
}

class Unfit extends Error {}

/** Shares an amount by weights: each rounded down, and the last one takes the remainder. */
function shared(minor: bigint, weights: bigint[]): bigint[] {
  const all = weights.reduce((sum, one) => sum + one, 0n)
  const last = weights.findLastIndex((one) => one > 0n)
  const parts = weights.map((weight) => (minor * weight) / all)
  const before = parts.reduce((sum, one, at) => (at === last ? sum : sum + one), 0n)
  return parts.map((part, at) => (at === last ? minor - before : part))
}

function halfToEven(of: bigint, by: bigint): bigint {
  const [whole, rest] = [of / by, of % by]
  return rest * 2n > by || (rest * 2n === by && whole % 2n === 1n) ? whole + 1n : whole
}

/** The amounts of parts in their order; zero where one is left out. */
function sizesOf(parts: Size[], minor: number, currency: string): number[] {
  const digits = digitsOf(currency)
  const sum = (list: bigint[]) => list.reduce((total, one) => total + one, 0n)
  const fixed = parts.map(({ fixed: text }) => {
    const [whole = '0', decimals = ''] = (text ?? '0').split('.')
    if (decimals.length > digits) {
      throw new Unfit('money.tooManyDigits')
    }
    return BigInt(whole + decimals.padEnd(digits, '0'))
  })
  const left = BigInt(minor) - sum(fixed)
  if (left < 0n) {
    throw new Unfit('rules.splitTooMuch')
  }
  const hundredths = parts.map(({ percent }) => millionths(percent ?? '0') / 10_000n)
  const base = parts.some(({ percentOf }) => percentOf === 'rest') ? left : BigInt(minor)
  const isAll = sum(hundredths) > 0n && base * sum(hundredths) === left * 10_000n
  const percents = isAll
    ? shared(left, hundredths)
    : hundredths.map((one) => halfToEven(base * one, 10_000n))
  const rest = left - sum(percents)
  const weights = parts.map((part) => BigInt(part.rest ?? 0))
  if (rest < 0n) {
    throw new Unfit('rules.splitTooMuch')
  }
  if (rest > 0n && sum(weights) === 0n) {
    throw new Unfit('rules.splitIncomplete')
  }
  const shares = sum(weights) === 0n ? weights : shared(rest, weights)
  return parts.map((_, at) => Number((fixed[at] ?? 0n) + (percents[at] ?? 0n) + (shares[at] ?? 0n)))
}

/** What the model knows of labels and accounts. */
export interface Known {
  isOfIncomes: (categoryId: string) => boolean
  nameOf: (payeeId: string) => string
  /** The currency of an account that may become the other end of a transfer. */
  currencyOf: (accountId: string) => string | undefined
}

interface Options {
  known: Known
  /** The fields that stay unless a rule overwrites. */
  said: ReadonlySet<string>
  overwrite?: boolean | undefined
  occasion?: string | undefined
}

export interface Outcome {
  after: Seen
  /** The rule that changed each field last. */
  by: Map<string, string>
  isMatched: boolean
  failed: { ruleId: string; code: string }[]
}

/** Applies rules in their order. */
export function applied(rules: Rule[], before: Seen, options: Options): Outcome {
  const by = new Map<string, string>()
  const failed: Outcome['failed'] = []
  let [after, isMatched] = [before, false]
  for (const rule of rules) {
    if (options.occasion !== undefined && !rule.on.includes(options.occasion)) {
      continue
    }
    if (!meets(rule.condition, after)) {
      continue
    }
    isMatched = true
    try {
      const news = newsOf(rule.changes, after, {
        ...options,
        overwrite: options.overwrite ?? rule.overwrite,
      })
      Object.keys(news).forEach((field) => by.set(field, rule.id))
      after = withNews(after, news)
    } catch (error) {
      if (!(error instanceof Unfit)) {
        throw error
      }
      failed.push({ ruleId: rule.id, code: error.message })
      continue
    }
    if (rule.stop) {
      break
    }
  }
  return { after, by, isMatched, failed }
}

/** Parts, and the other end of a transfer, take the place of a category. */
const withNews = (now: Seen, news: Partial<Seen>): Seen => ({
  ...now,
  ...news,
  ...('splits' in news ? { categoryId: null } : {}),
  ...('transferAccountId' in news ? { kind: 'transfer', categoryId: null } : {}),
})

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const sortedParts = (parts: Part[]) =>
  parts.map((part) => ({ ...part, tagIds: part.tagIds.toSorted() }))

/** The fields that one rule changes. */
function newsOf(changes: Changes, now: Seen, { known, said, overwrite }: Options): Partial<Seen> {
  const stays = (field: string) => !overwrite && said.has(field)
  const isTransfer = now.kind === 'transfer'
  const fits = (id: string | null | undefined) => {
    const isRefund = now.kind === 'income'
    if (id && !isRefund && (now.kind === 'adjustment' || known.isOfIncomes(id))) {
      throw new Unfit('rules.categoryKind')
    }
  }
  const news: Partial<Seen> = {}
  let whole = changes
  const canSplit =
    now.splits.length === 0 ? !stays('splits') && !stays('categoryId') : overwrite === true
  if (changes.splits && !isTransfer && canSplit) {
    if (now.kind === 'adjustment') {
      throw new Unfit('rules.cannotSplit')
    }
    const sizes = sizesOf(changes.splits, now.minor, now.currency)
    const parts = changes.splits.flatMap((part, at) =>
      sizes[at] === 0 ? [] : [{ part, minor: sizes[at] ?? 0 }],
    )
    const [first, ...more] = parts
    if (first && more.length === 0) {
      const { categoryId, payeeId = changes.payeeId, note = changes.note, tagIds = [] } = first.part
      const addTagIds = [...(changes.addTagIds ?? []), ...tagIds]
      whole = { ...changes, categoryId, payeeId, note, addTagIds }
    } else {
      parts.forEach(({ part }) => fits(part.categoryId))
      const splits = parts.map(({ part, minor }) => ({
        minor,
        categoryId: part.categoryId ?? null,
        payeeId: part.payeeId ?? null,
        tagIds: [...new Set(part.tagIds ?? [])],
        note: part.note || null,
      }))
      if (!same(sortedParts(splits), sortedParts(now.splits))) {
        news.splits = splits
      }
    }
  }
  const filled = (template: string | null, most: number) => {
    const values: Record<string, string | null> = {
      ...{ description: now.description, payeeRaw: now.payeeRaw, note: now.note },
      payee: now.payeeId === null ? null : known.nameOf(now.payeeId),
    }
    return (template ?? '')
      .replaceAll(/\{(\w+)\}/g, (_, word: string) => values[word] ?? '')
      .trim()
      .slice(0, most)
      .trim()
  }
  const set = <Field extends keyof Seen>(field: Field, value: Seen[Field] | undefined) => {
    if (value !== undefined && !stays(field) && value !== now[field]) {
      news[field] = value
    }
  }
  if (whole.description !== undefined) {
    set('description', filled(whole.description, 500))
  }
  if (whole.note !== undefined) {
    set('note', filled(whole.note, 2000) || null)
  }
  if (now.status !== 'void') {
    set('status', whole.status)
  }
  if (!isTransfer) {
    set('payeeId', whole.payeeId)
    set('reviewed', whole.reviewed)
  }
  const removed: string[] = whole.removeTagIds ?? []
  const tagIds = [...new Set([...now.tagIds, ...(whole.addTagIds ?? [])])].filter(
    (id) => !removed.includes(id),
  )
  if (!same(tagIds.toSorted(), now.tagIds.toSorted())) {
    news.tagIds = tagIds
  }
  const other = whole.transferAccountId
  if (other !== undefined && !isTransfer && !(stays('categoryId') && now.categoryId !== null)) {
    const isFine = ['expense', 'income'].includes(now.kind) && now.status !== 'void'
    const isOther = other !== now.accountId && known.currencyOf(other) === now.currency
    if (!isFine || !isOther || now.splits.length > 0) {
      throw new Unfit('rules.cannotTransfer')
    }
    news.transferAccountId = other
  } else if (now.splits.length === 0 && now.transferAccountId === undefined) {
    set('categoryId', whole.categoryId)
    fits(news.categoryId)
  }
  return news
}
