import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { ownedResource } from '../../../../platform/database/owned-resource.ts'
import type { PageRequest } from '../../../../platform/database/paging.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { importErrors } from '../imports.errors.ts'
import { importProfileEvents } from '../imports.events.ts'
import { importById } from '../imports.queries.ts'
import { type Mapping, mappingFrom, type SentMapping } from '../imports.rules.ts'
import { requireAccount } from '../upload/upload.usecases.ts'
import { mustHaveRoomForProfile, profileRows, type StoredProfile } from './profiles.queries.ts'

const conflicts = { 'import_profiles.name_key': importErrors.profileNameTaken }

const resource = ownedResource({
  prefix: 'ipr',
  rows: profileRows,
  events: importProfileEvents,
  notFound: importErrors.profileNotFound,
  conflicts,
})

export const listImportProfiles = (ctx: SignedIn, page: PageRequest) => resource.list(ctx, page)

export const getImportProfile = resource.get

/** Removes the fields of a mapping that belong to a single file. */
function ofAnyFile(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([field]) => !OF_ONE_FILE.has(field)))
}

const OF_ONE_FILE: ReadonlySet<string> = new Set([
  ...[
    'accountId',
    'newAccounts',
    'from',
    'through',
    'year',
    'month',
    'today',
    'accountCurrency',
    'outsideIdentity',
    'unsigned',
    'blankDirection',
  ],
])

interface NewProfile {
  name: string
  accountId?: string | undefined
  importId?: string | undefined
  format?: string | undefined
  mapping?: SentMapping | undefined
  shape?: string[] | undefined
}

/** Keeps how a file was read, or how such files are to be read. */
export async function createImportProfile(
  ctx: SignedIn,
  { name, accountId, importId, ...sent }: NewProfile,
): Promise<StoredProfile> {
  const [views, [row]] = await read(ctx, visibleAccounts(ctx), importById(ctx, importId ?? ''))
  requireAccount(views, accountId)
  if (importId !== undefined && !row) {
    throw importErrors.unknownImport({ field: 'importId' })
  }
  const known = row && (JSON.parse(row.mapping) as Mapping)
  const format = sent.format ?? known?.format
  if (format === undefined) {
    throw importErrors.notReadYet({ field: 'importId' })
  }
  const profile = resource.newRow(ctx, ctx.caller.userId, {
    ...{ name, nameKey: foldKey(name), accountId: accountId ?? null, format },
    mapping: JSON.stringify(sent.mapping ? mappingFrom(sent.mapping) : ofAnyFile(known ?? {})),
    shape: row ? row.shape : JSON.stringify(sent.shape ?? []),
  })
  return commit(ctx, {
    changes: [withoutEvents([mustHaveRoomForProfile(profile)]), resource.creation(profile)],
    result: profile,
    conflicts,
  })
}

interface ProfileChanges {
  name?: string | undefined
  accountId?: string | null | undefined
  mapping?: SentMapping | undefined
  shape?: string[] | undefined
}

/** Changes the fields that are sent. */
export async function updateImportProfile(
  ctx: SignedIn,
  id: string,
  { name, accountId, mapping, shape }: ProfileChanges,
): Promise<StoredProfile> {
  const [[found], views] = await read(ctx, profileRows.byId(ctx, id), visibleAccounts(ctx))
  const profile = resource.existing(found)
  requireVersion(ctx, profile.version)
  requireAccount(views, accountId ?? undefined)
  const { change, after } = resource.changeOf(ctx, profile, {
    accountId,
    ...(name === undefined ? {} : { name, nameKey: foldKey(name) }),
    ...(mapping === undefined ? {} : { mapping: JSON.stringify(mappingFrom(mapping)) }),
    ...(shape === undefined ? {} : { shape: JSON.stringify(shape) }),
  })
  return commit(ctx, { changes: [change], result: after, conflicts })
}

export const deleteImportProfile = resource.delete
