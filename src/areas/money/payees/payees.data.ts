import { sql } from 'drizzle-orm'
import { payeeAliases, payees } from '../../../../drizzle/schema/payees.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { countOf, eachOnce, idText, objectWith } from '../../../domain/stored-values.ts'
import { takenAs, takenBy } from '../../../http/stored-fields.ts'
import { keptRow } from '../../../platform/owned-data/archived-rows.ts'
import { listed } from '../../../platform/owned-data/exports.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { asOneChange } from '../../../ledger/ledger.public.ts'
import { trashedImage, trashedRow, trashedRowsOf } from '../../../ledger/labels/labels.public.ts'
import { type PayeeImage, restorePayee } from './payees.queries.ts'
import { payeeEvents } from './payees.events.ts'
import { aliasText, CreatePayeeRequest, presentPayee } from './payees.contract.ts'
import { MOST_ALIASES } from './payees.rules.ts'
import { listPayees } from './payees.usecases.ts'

const archivedPayees: ArchivedTable = {
  table: payees,
  prefixes: ['pay'],
  owner: [payees.ownerId],
  order: [payees.id],
  holds: takenAs(CreatePayeeRequest, ['name', 'note']),
  around: (ownerId, _, statements) => asOneChange(ownerId, statements),
  merge: { same: [payees.nameKey] },
}

export const payeeData: OwnedData = {
  area: 'payees',
  tables: [payees, payeeAliases],
  erase: [
    // Payees that no transaction has.
    ownRows('payees', payees, {
      where: sql`NOT EXISTS (SELECT 1 FROM transaction_payees t WHERE t.payee_id = ${payees.id})`,
      referredToBy: [payeeAliases.payeeId],
      wipedWith: ['payees'],
      around: asOneChange,
    }),
    trashedRowsOf('payee', 'payees'),
  ],
  archived: [
    archivedPayees,
    {
      table: payeeAliases,
      prefixes: ['pal'],
      owner: [payeeAliases.ownerId],
      of: { column: payeeAliases.payeeId, parent: archivedPayees },
      order: [payeeAliases.id],
      holds: { raw: takenBy(aliasText) },
      most: [{ rows: MOST_ALIASES, per: [payeeAliases.payeeId] }],
      merge: { same: [payeeAliases.rawKey] },
    },
  ],
  exports: [listed('payees', (owner, page) => listPayees(owner, {}, page), presentPayee)],
  trash: {
    kinds: {
      payee: trashedRow<PayeeImage>('payee', {
        isImage: trashedImage(keptRow(archivedPayees), {
          aliases: eachOnce(
            objectWith({ id: idText, raw: takenBy(aliasText), createdAt: countOf }),
            MOST_ALIASES,
            'id',
          ),
        }),
        bringBack: (ctx, { row, aliases }, thing) => ({
          statements: restorePayee(ctx, { row, aliases }),
          events: [payeeEvents.restored(thing, { after: row })],
        }),
        erased: (thing, { row }) => payeeEvents.erased(thing, { before: row }),
      }),
    },
  },
}
