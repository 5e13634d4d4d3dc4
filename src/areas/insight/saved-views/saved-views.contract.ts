import { z } from '@hono/zod-openapi'
import type { Check } from '../../../domain/stored-values.ts'
import {
  booleanField,
  id,
  integerField,
  nameInput,
  presentStamps,
  stamps,
  textField,
} from '../../../http/fields.ts'
import { must, reversedSpans } from '../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { ListTransactionsQuery } from '../../money/transactions/transactions.public.ts'
import {
  CashFlowQuery,
  IncomeStatementQuery,
  NetWorthHistoryQuery,
  SpendingQuery,
} from '../reports/reports.public.ts'
import type { SavedViewRow } from './saved-views.queries.ts'
import {
  hasNamedSpan,
  isReadable,
  parametersFrom,
  pathOfView,
  storedParameters,
  VIEW_PATHS,
  type ViewOf,
} from './saved-views.rules.ts'

/** The parameters of each kind of view: the query of its operation without the place in the list. */
const QUERIES: Record<ViewOf, z.ZodType> = {
  transactions: ListTransactionsQuery.omit({ cursor: true }),
  incomeStatement: IncomeStatementQuery,
  spending: SpendingQuery,
  cashFlow: CashFlowQuery,
  netWorthHistory: NetWorthHistoryQuery,
}

const of = z.enum(Object.keys(VIEW_PATHS) as [ViewOf, ...ViewOf[]]).openapi({
  description: 'The list or report that the view shows.',
  example: 'transactions',
})

export const ListSavedViewsQuery = z.strictObject({ of: of.optional(), ...pageQuery() })

const name = nameInput(100, 'Name of the view; unique among your own views.', 'Big expenses')

const parameters = z.record(z.string(), z.union([z.string(), z.array(z.string())])).openapi({
  description:
    'The query of the list or report, without `cursor`: each parameter as text, or a list of texts for one that is repeated. Names of periods stay relative to the day on which the view is requested.',
  example: { kind: 'expense', amountFrom: '100', sort: '-amount' },
})

const position = z.int().min(0).max(9999).openapi({
  description: 'Place among your own views. Views with the same place are ordered by name.',
  example: 1,
})

const pinned = booleanField('Whether the view is shown in a prominent place.', true)

/** Adds what the operation of a view finds wrong with its parameters. */
function checkParameters(
  sent: { of?: ViewOf | undefined; parameters?: z.infer<typeof parameters> | undefined },
  { issues }: { issues: z.core.$ZodRawIssue[] },
): void {
  if (sent.of === undefined || sent.parameters === undefined) {
    return
  }
  const { error, data } = QUERIES[sent.of].safeParse(sent.parameters)
  // Some numbers of a condition are longer in the form that is stored.
  const stored = error
    ? undefined
    : QUERIES[sent.of].safeParse(parametersFrom(storedParameters(sent.parameters)))
  const reversed = reversedSpans(!hasNamedSpan(sent.of) && data).map(({ field = '', message }) => ({
    code: 'custom',
    path: [field],
    message: message.slice(field.length + 1, -1),
    params: { code: 'range' },
  }))
  for (const issue of [...((error ?? stored?.error)?.issues ?? []), ...reversed]) {
    issues.push({ ...issue, path: ['parameters', ...issue.path] } as z.core.$ZodRawIssue)
  }
}

/** True if JSON is in the form in which the service stores checked parameters. */
export const isStoredView: Check = (value, row) => {
  if (!z.record(z.string(), z.unknown()).safeParse(value).success) {
    return false
  }
  const sent = parametersFrom(JSON.stringify(value))
  const view = { name: 'View', of: row['view_of'], parameters: sent }
  const { success, data } = CreateSavedViewRequest.safeParse(view)
  return success && isReadable(data.of, sent)
}

export const CreateSavedViewRequest = z
  .strictObject({
    name,
    of,
    parameters,
    position: position.default(0),
    pinned: pinned.default(false),
  })
  .check(({ value, issues }) => checkParameters(value, { issues }))
  .openapi('CreateSavedViewRequest')

export const UpdateSavedViewRequest = z
  .strictObject({
    name: name.optional(),
    of: of.optional(),
    parameters: parameters.optional(),
    position: position.optional(),
    pinned: pinned.optional(),
  })
  .refine((sent) => (sent.of === undefined) === (sent.parameters === undefined), {
    ...must('must be sent with parameters, and parameters with it', 'combination'),
    path: ['of'],
  })
  .check(({ value, issues }) => checkParameters(value, { issues }))
  .openapi('UpdateSavedViewRequest')

export const SavedViewResponse = z
  .object({
    id: id('svw', 'Id of the view.'),
    name: textField('Name of the view.', 'Big expenses'),
    of,
    parameters,
    position: integerField('Place among the user’s own views.', 1),
    pinned,
    path: textField(
      'Address and query of the view, ready to be requested.',
      '/transaction?kind=expense&amountFrom=100&sort=-amount',
    ),
    missing: z.array(z.string()).openapi({
      description:
        'Ids in `parameters` of what does not exist any more, or what the user does not see any more.',
      example: [],
    }),
    ...stamps,
  })
  .openapi('SavedViewResponse')

export const SavedViewsResponse = pageResponse(
  'savedViews',
  SavedViewResponse,
  'One page of views, in the order of their positions, then of their names.',
).openapi('SavedViewsResponse')

export const presentSavedView = (row: SavedViewRow): z.infer<typeof SavedViewResponse> => {
  const found = parametersFrom(row.parameters)
  return {
    ...{ id: row.id, name: row.name, of: row.of, parameters: found },
    ...{ position: row.position, pinned: row.pinned },
    path: pathOfView(row.of, found),
    missing: (JSON.parse(row.missing) as string[]).toSorted(),
    ...presentStamps(row),
  }
}

export const presentSavedViews = presentPage('savedViews', presentSavedView)
