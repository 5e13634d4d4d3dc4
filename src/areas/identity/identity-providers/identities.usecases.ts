import { isSameAddress } from '../../../domain/email.ts'
import { freshId, profileOf, type SignedIn } from '../../../platform/context.ts'
import { sha256Text } from '../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import { forgetChallengesOf } from '../auth/auth.public.ts'
import {
  codeToSwap,
  insertIdentity,
  providerMustStillBe,
  spendCode,
  userLinkedTo,
} from './sign-in/sign-in.queries.ts'
import { identityErrors } from './identity-providers.errors.ts'
import { identityEvents } from './identity-providers.events.ts'
import {
  addressMustStillBe,
  deleteIdentity,
  ownIdentities,
  ownIdentity,
} from './identity-providers.queries.ts'

export interface Identity {
  id: string
  issuer: string
  subject: string
  createdAt: number
}

export async function listIdentities(ctx: SignedIn): Promise<Identity[]> {
  const [identities] = await read(ctx, ownIdentities(ctx))
  return identities
}

/** Links what a provider has confirmed. Only with the own address: no code of somebody else's is of use. */
export async function linkIdentity(ctx: SignedIn, code: string): Promise<Identity> {
  const codeHash = sha256Text(code)
  const [[confirmed], [linked]] = await read(ctx, codeToSwap(ctx, codeHash), userLinkedTo(codeHash))
  if (!confirmed) {
    throw unusableCode()
  }
  if (linked) {
    throw identityErrors.identityTaken()
  }
  if (!isSameAddress(confirmed.email, profileOf(ctx).email)) {
    throw identityErrors.emailDiffers()
  }
  const { issuer, subject, provider_id, provider_version } = confirmed
  const id = freshId(ctx, 'ext')
  const identity = { id, issuer, subject, createdAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...spendCode(codeHash, unusableCode),
          providerMustStillBe(provider_id, provider_version),
          addressMustStillBe(ctx, confirmed.email),
          insertIdentity({ ...identity, userId: ctx.caller.userId }),
        ],
        events: [
          identityEvents.linked({ id }, { after: { issuer, subject, provider: provider_id } }),
        ],
      },
    ],
    tasks: [await noticeOf(ctx, 'identityLinked')],
    result: identity,
    conflicts: { 'external_identities.issuer': () => identityErrors.identityTaken() },
  })
}

const unusableCode = () => identityErrors.unusableCode({ field: 'code' })

export async function unlinkIdentity(ctx: SignedIn, id: string): Promise<void> {
  const [[identity]] = await read(ctx, ownIdentity(ctx, id))
  if (!identity) {
    throw identityErrors.identityNotFound()
  }
  const { issuer, subject } = identity
  return commit(ctx, {
    changes: [
      {
        // A sign-in by it may be waiting for its second factor.
        statements: [...deleteIdentity(ctx, id), forgetChallengesOf(ctx.caller.userId)],
        events: [identityEvents.unlinked({ id }, { before: { issuer, subject } })],
      },
    ],
    tasks: [await noticeOf(ctx, 'identityUnlinked')],
    result: undefined,
  })
}

const noticeOf = (ctx: SignedIn, template: 'identityLinked' | 'identityUnlinked') =>
  mailTask(ctx, { to: profileOf(ctx).email, template, values: { at: ctx.now } })
