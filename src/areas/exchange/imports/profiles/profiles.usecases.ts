import { foldKey } from '../../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { importErrors } from '../imports.errors.ts'
import { importProfileEvents } from '../imports.events.ts'
import { importById } from '../imports.queries.ts'
import { type Mapping, mappingFrom, type SentMapping } from '../imports.rules.ts'
import { requireAccount } from '../upload/upload.usecases.ts'
import {
  countOfProfiles,
  deleteProfile,
  insertProfile,
  pageOfProfiles,
  profileById,
  type StoredProfile,
  updateProfile,
} from './profiles.queries.ts'

const conflicts = { 'import_profiles.name_key': importErrors.profileNameTaken }

export async function listImportProfiles(
  ctx: SignedIn,
  page: PageRequest,
): Promise<Page<StoredProfile>> {
  const [found, [total]] = await read(ctx, pageOfProfiles(ctx, page), countOfProfiles(ctx))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function getImportProfile(ctx: SignedIn, id: string): Promise<StoredProfile> {
  const [[profile]] = await read(ctx, profileById(ctx, id))
  if (!profile) {
    throw importErrors.profileNotFound()
  }
  return profile
}

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
  const profile: StoredProfile = {
    id: freshId(ctx, 'ipr'),
    ownerId: ctx.caller.userId,
    ...{ name, nameKey: foldKey(name), accountId: accountId ?? null, format },
    mapping: JSON.stringify(sent.mapping ? mappingFrom(sent.mapping) : ofAnyFile(known ?? {})),
    shape: row ? row.shape : JSON.stringify(sent.shape ?? []),
    ...{ version: 1, createdAt: ctx.now, updatedAt: ctx.now },
  }
  const { id, version } = profile
  return commit(ctx, {
    changes: [
      {
        statements: insertProfile(profile),
        events: [importProfileEvents.created({ id, version }, { after: profile })],
      },
    ],
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
  const [[profile], views] = await read(ctx, profileById(ctx, id), visibleAccounts(ctx))
  if (!profile) {
    throw importErrors.profileNotFound()
  }
  requireVersion(ctx, profile.version)
  requireAccount(views, accountId ?? undefined)
  const changed: Partial<StoredProfile> = {
    ...(name === undefined ? {} : { name, nameKey: foldKey(name) }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(mapping === undefined ? {} : { mapping: JSON.stringify(mappingFrom(mapping)) }),
    ...(shape === undefined ? {} : { shape: JSON.stringify(shape) }),
  }
  const after = { ...profile, ...changed, version: profile.version + 1, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: updateProfile(ctx, profile, changed),
        events: [
          importProfileEvents.updated({ id, version: after.version }, { before: profile, after }),
        ],
      },
    ],
    result: after,
    conflicts,
  })
}

export async function deleteImportProfile(ctx: SignedIn, id: string): Promise<void> {
  const profile = await getImportProfile(ctx, id)
  requireVersion(ctx, profile.version)
  await commit(ctx, {
    changes: [
      {
        statements: deleteProfile(profile),
        events: [importProfileEvents.deleted({ id }, { before: profile })],
      },
    ],
    result: undefined,
  })
}
