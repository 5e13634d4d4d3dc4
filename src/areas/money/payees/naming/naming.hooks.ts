import { type LedgerHook, namedLabels } from '../../../../ledger/ledger.public.ts'
import { ambiguousName, payeeErrors } from '../payees.errors.ts'
import { type NamedPayee, payeeNamed, payeesNamed } from './naming.queries.ts'

/** A transaction may name its payee instead of sending an id. */
export const namedPayees: LedgerHook = namedLabels<NamedPayee>({
  what: 'payee',
  candidates: payeesNamed,
  groupOf: ({ ownerId, key }) => `${ownerId} ${key}`,
  groupsIn: ({ ownerId }, { key }) => [`${ownerId} ${key}`],
  permission: 'payees.write',
  create: (ctx, _, place) => payeeNamed(ctx, place),
  errors: {
    unknown: payeeErrors.unknownName,
    archived: payeeErrors.archivedPayee,
    ambiguous: ambiguousName,
    ownerCreates: payeeErrors.ownerCreates,
  },
})
