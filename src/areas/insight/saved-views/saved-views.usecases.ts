import { checkBelow } from '../../../domain/errors.ts'
import { foldKey } from '../../../domain/text.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { ownedResource } from '../../../platform/database/owned-resource.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { filterFrom } from '../../../ledger/search/search.public.ts'
import { requirePoints, type BalanceSpan } from '../../money/accounts/accounts.public.ts'
import { pointErrors, reportErrors, spansNear } from '../reports/reports.public.ts'
import { savedViewErrors } from './saved-views.errors.ts'
import { savedViewEvents } from './saved-views.events.ts'
import {
  isViewOf,
  missingIds,
  mustHaveRoomForView,
  type SavedViewRow,
  viewRows,
} from './saved-views.queries.ts'
import {
  accountsIn,
  hasNamedSpan,
  storedParameters,
  type ViewOf,
  type ViewParameters,
} from './saved-views.rules.ts'

const conflicts = { 'saved_views.name_key': () => savedViewErrors.nameTaken({ field: 'name' }) }

const resource = ownedResource({
  prefix: 'svw',
  rows: viewRows,
  events: savedViewEvents,
  notFound: savedViewErrors.notFound,
  conflicts,
})

export const listSavedViews = (
  ctx: SignedIn,
  { of }: { of?: ViewOf | undefined },
  page: PageRequest,
) => resource.list(ctx, page, isViewOf(of))

export const getSavedView = resource.get

interface NewView {
  name: string
  of: ViewOf
  parameters: ViewParameters
  position: number
  pinned: boolean
}

export async function createSavedView(
  ctx: SignedIn,
  { parameters: sent, ...wanted }: NewView,
): Promise<SavedViewRow> {
  const parameters = await checkedParameters(ctx, wanted.of, sent)
  const [[found]] = await read(ctx, missingIds(ctx, parameters))
  requireAccounts(wanted.of, sent, found)
  const view = resource.newRow(ctx, ctx.caller.userId, {
    ...wanted,
    nameKey: foldKey(wanted.name),
    parameters,
  })
  return commit(ctx, {
    changes: [withoutEvents([mustHaveRoomForView(view)]), resource.creation(view)],
    result: { ...view, missing: found?.missing ?? '[]' },
    conflicts,
  })
}

type ViewChanges = { [Field in keyof NewView]?: NewView[Field] | undefined }

/** A field that is absent is left alone. */
export async function updateSavedView(
  ctx: SignedIn,
  id: string,
  { name, parameters: sent, ...wanted }: ViewChanges,
): Promise<SavedViewRow> {
  const parameters = sent && (await checkedParameters(ctx, wanted.of, sent))
  const [[row], [found]] = await read(
    ctx,
    viewRows.byId(ctx, id),
    missingIds(ctx, parameters ?? '{}'),
  )
  const view = resource.existing(row)
  requireVersion(ctx, view.version)
  requireAccounts(wanted.of, sent, found)
  const { change, after } = resource.changeOf(ctx, view, {
    ...wanted,
    parameters,
    ...(name === undefined ? {} : { name, nameKey: foldKey(name) }),
  })
  const missing = (parameters === undefined ? view : found)?.missing ?? '[]'
  return commit(ctx, { changes: [change], result: { ...after, missing }, conflicts })
}

export const deleteSavedView = resource.delete

/**
 * Checks what the schema of the operation cannot check.
 * @throws AppError as the operation does, with the field below `parameters`
 */
async function checkedParameters(
  ctx: SignedIn,
  of: ViewOf | undefined,
  parameters: ViewParameters,
): Promise<string> {
  const { q, condition, ...others } = parameters
  checkBelow('parameters', () => {
    if (of === 'netWorthHistory') {
      requirePoints({ interval: 'month', ...others } as BalanceSpan, pointErrors)
    } else if (of !== undefined && hasNamedSpan(of)) {
      spansNear(others, ctx.now)
    }
  })
  await filterFrom(
    ctx,
    {
      q: typeof q === 'string' ? q : undefined,
      condition: typeof condition === 'string' ? JSON.parse(condition) : undefined,
    },
    'parameters',
  )
  return storedParameters(parameters)
}

/** Refuses an account that the report would refuse. */
function requireAccounts(
  of: ViewOf | undefined,
  sent: ViewParameters | undefined,
  found: { missing: string } | undefined,
): void {
  const named = sent !== undefined && of !== undefined && hasNamedSpan(of) ? accountsIn(sent) : []
  const missing = JSON.parse(found?.missing ?? '[]') as string[]
  const id = named.find((one) => missing.includes(one))
  if (id !== undefined) {
    throw reportErrors.unknownAccount({ id }, { field: 'parameters.accountIds' })
  }
}
