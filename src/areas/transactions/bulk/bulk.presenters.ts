import type { z } from '@hono/zod-openapi'
import { AppError } from '../../../domain/errors.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { presentTransaction } from '../../transaction-views/transaction-views.public.ts'
import type {
  ChangeTransactionsResponse,
  CreateTransactionsResponse,
  DeleteTransactionsResponse,
} from './bulk.schemas.ts'
import type { Created, Creation } from './creation.usecases.ts'
import type { Outcome, Outcomes } from './selection.usecases.ts'

const presentRefusal = ({ code, message, field }: AppError) => ({
  status: 'invalid' as const,
  code,
  message,
  ...(field === undefined ? {} : { field }),
})

function presentCreated(one: Created, ctx: SignedIn) {
  if (one instanceof AppError) {
    return presentRefusal(one)
  }
  const { status } = one
  return 'row' in one && one.row
    ? { status, transaction: presentTransaction(one.row, ctx) }
    : { status }
}

export function presentCreation(
  { results, dryRun }: Creation,
  ctx: SignedIn,
): z.infer<typeof CreateTransactionsResponse> {
  const presented = results.map((one, index) => ({ index, ...presentCreated(one, ctx) }))
  const count = counter(presented)
  return {
    results: presented,
    created: count('created'),
    existing: count('existing'),
    valid: count('valid'),
    invalid: count('invalid'),
    dryRun,
  }
}

const counter =
  <Status extends string>(results: { status: Status }[]) =>
  (wanted: Status) =>
    results.filter(({ status }) => status === wanted).length

const presentOutcome = <Done extends string>({ id, result }: Outcome<Done>) =>
  result instanceof AppError ? { id, ...presentRefusal(result) } : { id, status: result }

export function presentChanges({
  outcomes,
  dryRun,
}: Outcomes<'changed' | 'unchanged'>): z.infer<typeof ChangeTransactionsResponse> {
  const results = outcomes.map(presentOutcome)
  const count = counter<'changed' | 'unchanged' | 'invalid'>(results)
  return {
    results,
    changed: count('changed'),
    unchanged: count('unchanged'),
    invalid: count('invalid'),
    dryRun,
  }
}

export function presentRemoval({
  outcomes,
  dryRun,
}: Outcomes<'deleted'>): z.infer<typeof DeleteTransactionsResponse> {
  const results = outcomes.map(presentOutcome)
  const count = counter<'deleted' | 'invalid'>(results)
  return { results, deleted: count('deleted'), invalid: count('invalid'), dryRun }
}
