import { env } from 'cloudflare:workers'
import {
  createAttachment,
  downloadAttachment,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import { call, type Principal, rows } from '../../support/api.ts'
import { PDF } from '../../support/files.ts'
import { type Service, serviceWith } from '../../support/service.ts'

let serial = 0
const fresh = (prefix: string) => `${prefix}_${++serial}${crypto.randomUUID()}`

export interface Filing {
  bytes?: BodyInit
  query?: Record<string, string>
  headers?: Record<string, string>
  service?: Service
}

export interface FileBody {
  id: string
  links: { linkId: string; kind: string; id: string }[]
  [field: string]: unknown
}

/** Uploads a small PDF unless told otherwise. */
export const upload = (as: Principal, { bytes = PDF, query, headers, service }: Filing = {}) =>
  (service ?? serviceWith({})).call<FileBody>(createAttachment, {
    as,
    query: { fileName: 'bill.pdf', ...query },
    raw: { body: bytes, contentType: 'application/octet-stream' },
    ...(headers ? { headers } : {}),
  })

export async function file(as: Principal, filing: Filing = {}): Promise<FileBody> {
  const { status, body, text } = await upload(as, filing)
  if (status !== 201) {
    throw new Error(text)
  }
  return body
}

export const download = (as: Principal, { id }: { id: string }, headers = {}) =>
  call(downloadAttachment, { as, id, headers })

/** The keys of all objects of these files, and how many there are in the bucket of what a user may have stored. */
export const objectOf = async ({ id }: { id: string }) => {
  const [row] = await rows<{ object_key: string }>(
    'SELECT object_key FROM attachments WHERE id = ?',
    id,
  )
  return row && env.FILES.head(row.object_key)
}

/** A storage class of its own, for what only this test may fill. */
export async function newClass(
  wanted: Record<string, unknown> = {},
): Promise<{ id: string; prefix: string }> {
  const id = fresh('stc')
  const row = {
    id,
    name: id,
    name_key: id,
    r2_storage_class: 'Standard',
    prefix: `${id}/`,
    quota_bytes: null,
    max_object_bytes: 26_214_400,
    allowed_types: '["application/pdf","text/plain"]',
    retention_days: null,
    is_default: 0,
    version: 1,
    created_at: 0,
    updated_at: 0,
    ...wanted,
  }
  const columns = Object.keys(row)
  await rows(
    `INSERT INTO storage_classes (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
    ...Object.values(row),
  )
  return { id, prefix: row.prefix }
}

export const unshare = ({ id }: { id: string }) =>
  rows('DELETE FROM shares WHERE account_id = ?', id)
