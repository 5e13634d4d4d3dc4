import type { SignedIn } from '../context.ts'
import { read } from '../database/database.ts'
import { type LogList, pageFinders, readOn } from '../log/log-reading.ts'
import { cutPage, type PageRequest, type Position } from '../database/paging.ts'
import type { Statement } from '../database/statements.ts'

/** Rows of a page: what is in memory at one time. */
const PAGE = 500

type Pages = AsyncGenerator<object[]>

/** A file of the bucket, with where its bytes are in the archive. */
export interface ExportedFile {
  path: string
  objectKey: string
}

/** One kind of what a user owns, as the interface shows it to its owner. */
export interface Content {
  /** Also the name of its file in the archive. */
  name: string
  /** @param noted is shown every file whose bytes belong to it */
  pages: (owner: SignedIn, noted: (file: ExportedFile) => void) => Pages
}

/** A copy of some data in a format that people or other programs read. */
export interface ReadableCopy {
  /** Its path in the archive. */
  path: string
  text: (owner: SignedIn) => AsyncGenerator<string>
}

type Lister<Row> = (page: PageRequest) => Promise<{ rows: Row[]; next: Position | null }>

async function* pagesOf<Row>(list: Lister<Row>, present: (rows: Row[]) => object[]): Pages {
  let after: Position | undefined
  do {
    const { rows, next } = await list({ limit: PAGE, after })
    yield present(rows)
    after = next ?? undefined
  } while (after)
}

/** Exports the entries of a list of the interface that belong to the owner, without those that others share. */
export const listed = <Row>(
  name: string,
  list: (owner: SignedIn, page: PageRequest) => ReturnType<Lister<Row>>,
  present: (row: Row) => object,
  isOwn?: (row: Row, ownerId: string) => boolean,
): Content => ({
  name,
  pages: (owner) =>
    pagesOf(
      (page) => list(owner, page),
      (rows) =>
        rows.filter((row) => !isOwn || isOwn(row, owner.caller.userId)).map((row) => present(row)),
    ),
})

/**
 * Exports rows that no list of the interface has, through a finder of one row more than the page, in the order of the
 * positions.
 * @param fileOf the file of a row
 */
export const stored = <Row>(
  name: string,
  finder: (ownerId: string, page: PageRequest) => Statement<Row[]>,
  present: (row: Row, ownerId: string) => object,
  positionOf: (row: Row) => Position,
  fileOf?: (row: Row) => ExportedFile,
): Content => ({
  name,
  pages: (owner, noted) =>
    pagesOf(
      async (page) => {
        const [found] = await read(owner, finder(owner.caller.userId, page))
        return cutPage(found, page, positionOf)
      },
      (rows) => {
        if (fileOf) {
          rows.forEach((row) => noted(fileOf(row)))
        }
        return rows.map((row) => present(row, owner.caller.userId))
      },
    ),
})

/** Exports the rows of a list of the log. */
export const logged = <Row>(
  name: string,
  listOf: (ownerId: string) => LogList<Row>,
  present: (row: Row, ownerId: string) => object,
): Content => ({
  name,
  pages: (owner) => {
    const list = listOf(owner.caller.userId)
    return pagesOf(
      async (page) => readOn(owner, list, page, await read(owner, ...pageFinders(list, page))),
      (rows) => rows.map((row) => present(row, owner.caller.userId)),
    )
  },
})

/** The position of what is in the order of its ids. */
export const byId = ({ id }: { id: string }): Position => [id]

/** Exports a list that is found at once. */
export const whole = (name: string, find: (owner: SignedIn) => Promise<object[]>): Content => ({
  name,
  async *pages(owner) {
    yield await find(owner)
  },
})
