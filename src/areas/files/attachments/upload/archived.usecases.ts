import { fileTypeSniffer } from '../../../../domain/file-types.ts'
import type { ArchivedRow } from '../../../../platform/archived-tables.ts'
import { storePieces } from '../../../../platform/bucket.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { attachmentErrors } from '../attachments.errors.ts'
import { placeFor } from './upload.queries.ts'

/**
 * Stores a file of an archive, where a new file of the owner would go; gives the columns that no archive has. Without bytes, which
 * the archive did not have either, the row names an object that is not there. The key is new each time, so no archive can aim at
 * an object that a row names. What no row names in the end, as its commit failed or did not come, is swept at night.
 */
export async function storeArchivedFile(
  owner: SignedIn,
  row: ArchivedRow,
  bytes: AsyncIterable<Uint8Array> | undefined,
): Promise<ArchivedRow> {
  const [[place]] = await read(owner, placeFor(owner, undefined, undefined))
  if (!place) {
    throw attachmentErrors.noStorageClass()
  }
  const columns = {
    storage_class_id: place.id,
    object_key: `${place.prefix}${freshId(owner, 'att')}`,
  }
  if (bytes === undefined) {
    return columns
  }
  if (place.usedBytes + Number(row['size']) > (place.quotaBytes ?? Infinity)) {
    throw attachmentErrors.quota()
  }
  const sniffer = fileTypeSniffer(String(row['file_name']))
  await storePieces(owner, columns.object_key, bytes, {
    maxBytes: place.maxObjectBytes,
    storageClass: place.r2StorageClass,
    watch: sniffer.take,
  })
  const contentType = sniffer.type()
  if (contentType !== row['content_type'] || !allowedIn(place.allowedTypes).includes(contentType)) {
    throw attachmentErrors.typeNotAllowed()
  }
  return columns
}

const allowedIn = (json: string) => JSON.parse(json) as string[]
