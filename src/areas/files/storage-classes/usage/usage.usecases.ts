import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { classById } from '../storage-classes.queries.ts'
import { existing } from '../storage-classes.usecases.ts'
import { type Amounts, type Holder, pageOfHolders, totalOfHolders } from './usage.queries.ts'

export interface Usage extends Page<Holder>, Amounts {
  storageClassId: string
  quotaBytes: number | null
}

export async function getStorageClassUsage(
  ctx: SignedIn,
  id: string,
  page: PageRequest,
): Promise<Usage> {
  const [[found], holders, [total]] = await read(
    ctx,
    classById(id),
    pageOfHolders(id, page),
    totalOfHolders(id),
  )
  const { quotaBytes } = existing(found)
  const { bytes = 0, objects = 0, count = 0 } = total ?? {}
  return {
    ...cutPage(holders, page, (holder) => [String(holder.bytes), holder.id]),
    ...{ storageClassId: id, quotaBytes, bytes, objects, count },
  }
}
