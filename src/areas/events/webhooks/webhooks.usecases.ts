import { outboundTarget } from '../../../domain/addresses.ts'
import { checkAll } from '../../../domain/errors.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { ownedResource } from '../../../platform/database/owned-resource.ts'
import type { RowChanges } from '../../../platform/database/owned-tables.ts'
import { eventTypes, withoutEvents } from '../../../platform/log/events.ts'
import { outboundErrors } from '../../../platform/platform.errors.ts'
import { openSecret, sealSecret } from '../../../platform/secrets/key-ring.ts'
import {
  placeIn,
  PREVIOUS_WEBHOOK_SECRETS,
  WEBHOOK_SECRETS,
} from '../../../platform/secrets/sealed-columns.ts'
import { sendTask } from './sending.usecases.ts'
import { webhookErrors } from './webhooks.errors.ts'
import { webhookEvents } from './webhooks.events.ts'
import {
  beginAtEnd,
  keepDispatching,
  mustHaveRoomForWebhook,
  type UnknownInput,
  unknownIn,
  webhookRows,
  type WebhookRow,
} from './webhooks.queries.ts'
import { imageOf, isKnownPattern, isRotating, type WebhookInput } from './webhooks.rules.ts'

const resource = ownedResource({
  prefix: 'whk',
  rows: webhookRows,
  events: {
    created: (thing, { after }) => webhookEvents.created(thing, { after: imageOf(after) }),
    updated: (thing, { before, after }) =>
      webhookEvents.updated(thing, { before: imageOf(before), after: imageOf(after) }),
    deleted: (thing, { before }) => webhookEvents.deleted(thing, { before: imageOf(before) }),
  },
  notFound: webhookErrors.notFound,
})

export const listWebhooks = resource.list
export const getWebhook = resource.get
/** @throws AppError where a finder has found no webhook */
export const existingWebhook = resource.existing

/** A webhook with its secret, which is shown once. */
export type RevealedWebhook = WebhookRow & { newSecret?: string | undefined }

export async function createWebhook(ctx: SignedIn, sent: WebhookInput): Promise<RevealedWebhook> {
  const [unknown] = await read(ctx, unknownIn(ctx, sent))
  requireValid(ctx, sent, { accountIds: sent.accountIds, unknown })
  const text = newSecretText(ctx)
  const row = resource.newRow(ctx, ctx.caller.userId, {
    ...sent,
    ...{ secret: '', secretPrefix: prefixOf(text), previousSecret: null, rotatedAt: null },
    ...{ failingSince: null, afterEvent: 0, lastSequence: 0, nextAt: null },
  })
  const secret = await sealSecret(ctx, placeIn(WEBHOOK_SECRETS, row.id), text)
  const webhook = { ...row, secret }
  return commit(ctx, {
    changes: [
      withoutEvents([mustHaveRoomForWebhook(webhook)]),
      resource.creation(webhook),
      withoutEvents([beginAtEnd(webhook), ...keepDispatching(webhook.ownerId)]),
    ],
    result: { ...webhook, newSecret: text },
  })
}

/** A field that is absent is left alone. */
export async function updateWebhook(
  ctx: SignedIn,
  id: string,
  { newSecret = false, ...sent }: RowChanges<WebhookInput & { newSecret: boolean }>,
): Promise<RevealedWebhook> {
  const [[row], unknown] = await read(ctx, webhookRows.byId(ctx, id), unknownIn(ctx, sent))
  const before = resource.existing(row)
  requireVersion(ctx, before.version)
  const { accountIds = before.accountIds } = sent
  requireValid(ctx, sent, { accountIds, unknown })
  const rotated = newSecret ? await rotate(ctx, before) : undefined
  const isActivated = sent.active === true && !before.active
  const { change, after } = resource.changeOf(ctx, before, {
    ...sent,
    ...rotated?.columns,
    ...(isActivated || sent.url !== undefined ? { failingSince: null } : {}),
  })
  return commit(ctx, {
    changes: [
      change,
      withoutEvents([
        ...(isActivated ? [beginAtEnd(after)] : []),
        ...keepDispatching(after.ownerId),
      ]),
    ],
    tasks: isActivated ? [sendTask(ctx, after)] : [],
    result: { ...after, newSecret: rotated?.text },
  })
}

/** The webhook is erased at once, and its deliveries by a task. */
export async function deleteWebhook(ctx: SignedIn, id: string): Promise<void> {
  const before = await getWebhook(ctx, id)
  requireVersion(ctx, before.version)
  const changes = [resource.removal(before), withoutEvents(keepDispatching(before.ownerId))]
  return commit(ctx, { changes, tasks: [sendTask(ctx, before)], result: undefined })
}

/**
 * Checks what the schema cannot check.
 * @param accountIds those of the webhook after the request
 */
function requireValid(
  ctx: SignedIn,
  { url, types = [] }: RowChanges<WebhookInput>,
  { accountIds, unknown }: { accountIds: string[] | null; unknown: UnknownInput[] },
): void {
  if (ctx.caller.token?.accountIds && accountIds === null) {
    throw webhookErrors.tokenIsRestricted({ field: 'accountIds' })
  }
  checkAll(
    () => {
      if (url !== undefined && 'refused' in outboundTarget(url, ctx.settings.outboundAllow)) {
        throw outboundErrors.refusedAddress({ field: 'url' })
      }
    },
    ...types.map((pattern, at) => () => {
      if (!isKnownPattern(pattern, eventTypes())) {
        throw webhookErrors.unknownType({ field: `types.${at}` })
      }
    }),
    ...unknown.map(({ field, place }) => () => {
      throw unknownErrors[field]({ field: `${field}.${place}` })
    }),
  )
}

const unknownErrors = {
  accountIds: webhookErrors.unknownAccount,
  ignoreTokenIds: webhookErrors.unknownToken,
}

const SECRET_BYTES = 24
const PREFIX_LENGTH = 'whsec_'.length + 4

const newSecretText = ({ ports }: Context) =>
  `whsec_${Buffer.from(ports.random(SECRET_BYTES)).toString('base64')}`

const prefixOf = (text: string) => text.slice(0, PREFIX_LENGTH)

/** The columns with a new secret, beside which the present one signs for a day. */
async function rotate(ctx: SignedIn, before: WebhookRow) {
  if (isRotating(before, ctx.now)) {
    throw webhookErrors.rotating({ field: 'newSecret' })
  }
  const place = placeIn(WEBHOOK_SECRETS, before.id)
  const present = await openSecret(ctx, place, before.secret)
  const text = newSecretText(ctx)
  return {
    text,
    columns: {
      secret: await sealSecret(ctx, place, text),
      secretPrefix: prefixOf(text),
      previousSecret: await sealSecret(ctx, placeIn(PREVIOUS_WEBHOOK_SECRETS, before.id), present),
      rotatedAt: ctx.now,
    },
  }
}
