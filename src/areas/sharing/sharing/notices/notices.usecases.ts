import type { Context } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { limitOf, noteTry, triesLeft, triesOf } from '../../../../platform/limits.ts'
import { mailTask } from '../../../../platform/mail.ts'
import type { LoggedEvent } from '../../../../platform/reader-rows.ts'
import type { Reaction } from '../../../../platform/readers.ts'
import { type Addressee, addresseesOf } from './notices.queries.ts'
import { noticesOf } from './notices.rules.ts'

/** Notices of all kinds that somebody gets in a day: whoever shares and ends it over and over fills nobody's mailbox. */
export const MOST_NOTICES = 20
const DAY_MS = 24 * 60 * 60 * 1000

/** Tells the persons concerned by mail what has become of a share. */
export async function writeNotices(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const notices = events.flatMap(noticesOf)
  const [addressees] = await read(ctx, addresseesOf(notices, ctx.now))
  const ofUser = [...Map.groupBy(addressees, ({ userId }) => userId)]
  const limits = await Promise.all(
    ofUser.map(([userId]) => limitOf(ctx, `share notices to ${userId}`, MOST_NOTICES, DAY_MS)),
  )
  const [tries] = await read(ctx, triesOf(limits))
  const allowed = ofUser.flatMap(([, own], at) => {
    const limit = limits[at]
    return limit ? own.slice(0, triesLeft(ctx, limit, tries)).map((one) => ({ ...one, limit })) : []
  })
  const mailOf = ({ place, email: to, kind }: Addressee) => {
    const notice = notices[place]
    return notice
      ? [mailTask(ctx, { to, template: notice.template, values: { at: notice.at, kind } })]
      : []
  }
  return {
    changes: [withoutEvents(allowed.map(({ limit }) => noteTry(ctx, limit)))],
    tasks: await Promise.all(allowed.flatMap(mailOf)),
  }
}
