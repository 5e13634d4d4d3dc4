import { convert, parseRate, toRate } from '../../../../domain/exchange.ts'
import {
  type Leg,
  MAX_TRANSFER_PARTS,
  type PartTransfer,
  type Split,
  type Status,
} from '../../../../domain/ledger.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { transferErrors } from '../recording/transfers.errors.ts'
import { transactionErrors as errors } from '../transactions.errors.ts'

/** The fields of a part that is a transfer, in a request. A kept part for which they are absent stays as it is. */
export interface TransferInput {
  /** Null makes it an ordinary part. */
  transferAccountId?: string | null | undefined
  transferAmount?: string | undefined
  transferRate?: string | undefined
  transferStatus?: Exclude<Status, 'void'> | undefined
}

/** An account that a part may go to. */
export type PartAccount = Pick<Leg, 'ownerId' | 'currency'> & {
  id: string
  status?: 'open' | 'closed' | undefined
}

/** The whole that parts are of. */
export interface WholeOfParts {
  leg: Pick<Leg, 'accountId' | 'ownerId' | 'currency' | 'status'>
  /** The accounts that its parts name, as far as they are seen. */
  accounts: PartAccount[]
  /** The currency that amounts of parts that are kept are in. */
  keptCurrency: string
}

/** A part that a request sends, without what it says of the other side. */
interface OwnPart {
  amountMinor: number
  payeeId?: string | null | undefined
}

const FIELDS = ['transferAmount', 'transferRate', 'transferStatus'] as const

/**
 * The other side of a part that was sent; undefined where it is an ordinary one.
 * @param now the part as it is stored, if it is kept
 * @param place the field of the request that has the part
 */
export function transferOfPart(
  input: TransferInput & OwnPart,
  now: Split | undefined,
  { leg: whole, accounts, keptCurrency }: WholeOfParts,
  place: string,
): PartTransfer | undefined {
  const kept = now?.transfer
  const accountId =
    input.transferAccountId ?? (input.transferAccountId === null ? null : kept?.leg.accountId)
  if (!accountId) {
    const field = FIELDS.find((name) => input[name] !== undefined)
    if (field) {
      throw errors.partAccountNeeded({ field: `${place}.${field}` })
    }
    return undefined
  }
  if (input.payeeId) {
    throw errors.partHasPayee({ field: `${place}.payeeId` })
  }
  const field = `${place}.transferAccountId`
  if (accountId === whole.accountId) {
    throw errors.partSelf({ field })
  }
  const leg = {
    ...(accountId === kept?.leg.accountId ? kept.leg : newLeg(accountId, accounts, whole, field)),
    status: statusOf(input, kept, whole),
  }
  const isSameAmount =
    now?.amountMinor === input.amountMinor &&
    kept?.leg.currency === leg.currency &&
    keptCurrency === whole.currency
  const amountMinor = arrivalOf(
    input,
    { from: whole.currency, to: leg.currency, place },
    isSameAmount ? kept?.amountMinor : undefined,
  )
  // Another account has another bank.
  const payeeRaw = accountId === kept?.leg.accountId ? kept.payeeRaw : null
  return { line: kept?.line, leg, amountMinor, payeeRaw }
}

function newLeg(
  accountId: string,
  accounts: PartAccount[],
  whole: WholeOfParts['leg'],
  field: string,
): Omit<Leg, 'status'> {
  const account = accounts.find(({ id }) => id === accountId)
  if (!account) {
    throw errors.unknownAccount({ field })
  }
  if (account.ownerId !== whole.ownerId) {
    throw transferErrors.otherOwner({ field })
  }
  if (account.status === 'closed') {
    throw errors.accountClosed({ field })
  }
  const { ownerId, currency } = account
  return { accountId, ownerId, currency, externalId: null }
}

/** All of a transaction is void, or nothing of it. */
function statusOf(
  { transferStatus }: TransferInput,
  kept: PartTransfer | undefined,
  whole: Pick<Leg, 'status'>,
): Status {
  if (whole.status === 'void') {
    return 'void'
  }
  const status = transferStatus ?? kept?.leg.status ?? 'uncleared'
  return status === 'void' ? 'uncleared' : status
}

/**
 * Returns the amount that arrives on the other account, or leaves it: as sent, else by the rate, else as before.
 * Within one currency it is the whole amount.
 */
function arrivalOf(
  { amountMinor, transferAmount, transferRate }: TransferInput & OwnPart,
  { from, to, place }: { from: string; to: string; place: string },
  kept: number | undefined,
): number {
  const whole = Math.abs(amountMinor)
  if (transferAmount !== undefined && transferRate !== undefined) {
    throw errors.partAmountAndRate({ field: `${place}.transferRate` })
  }
  if (from === to && transferRate !== undefined) {
    throw errors.partRateWithinCurrency({ field: `${place}.transferRate` })
  }
  if (transferAmount !== undefined) {
    const field = `${place}.transferAmount`
    const sent = parseMoney(transferAmount, to, { allowZero: false, field })
    if (from === to && sent !== whole) {
      throw errors.partAmountDiffers({ field })
    }
    return sent
  }
  if (from === to) {
    return whole
  }
  if (transferRate !== undefined) {
    const field = `${place}.transferRate`
    const arrives = convert(whole, from, to, toRate(parseRate(transferRate, field)))
    if (arrives === 0) {
      throw errors.partArrivesAsZero({ field })
    }
    return arrives
  }
  if (kept === undefined) {
    throw errors.partAmountNeeded({ field: `${place}.transferAmount` })
  }
  return kept
}

/** The accounts that parts of a request name, each with the field that does. */
export const partAccountsNamed = (splits: TransferInput[] = []): { id: string; field: string }[] =>
  splits.flatMap(({ transferAccountId: id }, at) =>
    id ? [{ id, field: `splits.${at}.transferAccountId` }] : [],
  )

export function requireFewTransfers(splits: Split[]): Split[] {
  if (splits.filter(({ transfer }) => transfer).length > MAX_TRANSFER_PARTS) {
    throw errors.tooManyTransferParts({ field: 'splits' })
  }
  return splits
}

/** Parts whose other sides are void with the whole, or are no more. */
export const withStatusOf = (splits: Split[], status: Status): Split[] =>
  splits.map((part) =>
    part.transfer && (part.transfer.leg.status === 'void') !== (status === 'void')
      ? {
          ...part,
          transfer: {
            ...part.transfer,
            leg: { ...part.transfer.leg, status: status === 'void' ? 'void' : 'uncleared' },
          },
        }
      : part,
  )
