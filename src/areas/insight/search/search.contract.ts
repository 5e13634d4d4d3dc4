import { z } from '@hono/zod-openapi'
import type { Condition as SearchCondition } from '../../../domain/conditions/conditions.ts'
import { booleanField, id, nullableText, severalInQuery, textField } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import type { SignedIn } from '../../../platform/context.ts'
import {
  Condition,
  lineInput,
  presentTransaction,
  TransactionResponse,
} from '../../money/transaction-views/transaction-views.public.ts'
import { SEARCH_KINDS } from './search.rules.ts'
import type { Searched, SearchGroup } from './search.usecases.ts'

export const ParseSearchRequest = z
  .strictObject({
    q: lineInput,
    for: z.enum(['lists', 'rules']).default('lists').openapi({
      description:
        'Where the condition is used. Rules do not know `within`, so subcategories are listed.',
      example: 'lists',
    }),
  })
  .openapi('ParseSearchRequest')

export const ParsedSearchResponse = z
  .object({ condition: Condition })
  .openapi('ParsedSearchResponse')

export const presentParsed = (
  condition: SearchCondition,
): z.infer<typeof ParsedSearchResponse> => ({
  condition: { ...condition },
})

const kind = z.enum(SEARCH_KINDS).openapi({ description: 'Kind of thing.', example: 'payee' })

/** Hits of each kind: at most, and by default. */
const HITS = { maximum: 20, default: 5 }

export const SearchAllQuery = z.strictObject({
  q: lineInput.openapi({
    description:
      'Words, all of which a name must have, or a line with fields, which finds transactions only.',
    example: 'blue bottle',
  }),
  kinds: severalInQuery(
    kind.describe('Kinds to search; all by default.'),
    'payee',
    SEARCH_KINDS,
  ).optional(),
  limit: pageQuery(HITS.maximum, HITS.default).limit.openapi({
    description: 'Maximum number of hits of each kind.',
  }),
})

const SearchHit = z
  .object({
    id: id('pay', 'Id of what was found.'),
    name: textField(
      'Its name; of a transaction the description, the text of the bank or the kind.',
      'Blue Bottle',
    ),
    detail: nullableText(
      'What tells it apart: the currency of an account or a recurring item, the alias of a payee, the categories above a category, the name of a file that has a title, the date of a transaction.',
    ),
    archived: booleanField(
      'Whether it is archived, a closed account or an inactive recurring item.',
      false,
    ),
    transaction: TransactionResponse.optional().openapi({
      description: 'The transaction itself, of the kind `transaction` alone.',
    }),
  })
  .openapi('SearchHit')

export const SearchResponse = z
  .object({
    groups: z
      .array(
        z.object({
          kind,
          hits: z.array(SearchHit).openapi({
            description:
              'The best hits first: names that are equal, then those that begin with the words, then those in which words begin with them. Transactions are listed newest first.',
          }),
          more: booleanField('Whether more were found than `limit`.', false),
        }),
      )
      .openapi({ description: 'One group for each kind that was searched.' }),
    omitted: z.array(kind).openapi({
      description: 'Kinds that were not searched, as the caller has no permission to read them.',
      example: [],
    }),
  })
  .openapi('SearchResponse')

export const presentSearch = (
  { groups, omitted }: Searched,
  ctx: SignedIn,
): z.infer<typeof SearchResponse> => ({
  groups: groups.map((group) => ({
    kind: group.kind,
    hits: presentHits(group, ctx),
    more: group.more,
  })),
  omitted,
})

const presentHits = (group: SearchGroup, ctx: SignedIn): z.infer<typeof SearchHit>[] =>
  group.kind === 'transaction'
    ? group.rows.map((row) => {
        const transaction = presentTransaction(row, ctx)
        const { id, date, kind, description, payeeRaw } = transaction
        return {
          id,
          name: [description, payeeRaw, kind].find((text) => text) ?? kind,
          detail: date,
          archived: false,
          transaction,
        }
      })
    : group.hits
