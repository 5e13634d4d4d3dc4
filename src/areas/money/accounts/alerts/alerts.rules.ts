/** An event of the log, as far as alerts look at it. */
interface SeenEvent {
  number: number
  type: string
  resourceId: string | null
  ownerId: string | null
  content: string | null
}

/** Something that may tell of large expenses, by its id: a transaction, or an import with its transactions. */
export interface ExpenseNews {
  id: string
  /** The number of its event: alerts that were set later do not tell of it. */
  number: number
}

/** Fields whose change can make an expense a large one of its account. */
const AMOUNT_FIELDS = ['amountMinor', 'kind', 'status', 'accountId']

/** True if an event of a transaction says of how much it is, or that others see it now. */
function tellsAmount({ type, content }: SeenEvent): boolean {
  if (type !== 'transaction.updated') {
    return type === 'transaction.created'
  }
  const { before = {}, after = {} } = JSON.parse(content ?? '{}') as {
    before?: object
    after?: object
  }
  return 'private' in before || AMOUNT_FIELDS.some((field) => field in after)
}

/** Whose alerts events concern, and the transactions and imports that may have large expenses. */
export function newsIn(events: readonly SeenEvent[]) {
  const idsOf = (isWanted: (event: SeenEvent) => boolean): ExpenseNews[] =>
    events.flatMap((event) =>
      event.resourceId !== null && isWanted(event)
        ? [{ id: event.resourceId, number: event.number }]
        : [],
    )
  return {
    ownerIds: [...new Set(events.flatMap(({ ownerId }) => ownerId ?? []))],
    transactions: idsOf(tellsAmount),
    imports: idsOf(({ type }) => type.startsWith('import.')),
  }
}
