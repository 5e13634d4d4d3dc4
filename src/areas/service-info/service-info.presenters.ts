import type { z } from '@hono/zod-openapi'
import { BODY_CAP, NESTING_CAP } from '../../http/body.ts'
import { PAGE } from '../../http/pagination.ts'
import { MOST_MAILS, WINDOW_MS } from '../../platform/limits.ts'
import type { ServiceInfoResponse } from './service-info.schemas.ts'
import type { ServiceInfo } from './service-info.usecases.ts'

export const presentInfo = ({
  registration,
  uploads,
  settings,
  isDescribed,
}: ServiceInfo): z.infer<typeof ServiceInfoResponse> => ({
  pages: { defaultRows: PAGE.default, maximumRows: PAGE.maximum },
  bodies: { maximumBytes: BODY_CAP, maximumDepth: NESTING_CAP },
  uploads: {
    maximumBytes: uploads?.maxObjectBytes ?? 0,
    allowedTypes: uploads?.allowedTypes ?? [],
  },
  rateLimits: {
    windowSeconds: WINDOW_MS / 1000,
    triesPerAccount: settings.loginLimitAccount,
    triesPerClient: settings.loginLimitClient,
    mailsPerAddress: MOST_MAILS,
  },
  features: {
    registration,
    mail: settings.mailer.kind === 'bound',
    referenceRates: settings.exchangeRatesUrl !== undefined,
    description: isDescribed,
  },
})
