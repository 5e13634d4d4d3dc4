import { z } from '@hono/zod-openapi'
import { BODY_CAP, NESTING_CAP } from '../../../http/body.ts'
import { integerField, booleanField } from '../../../http/fields.ts'
import { PAGE } from '../../../http/pagination.ts'
import { MOST_MAILS, WINDOW_MS } from '../../../platform/limits.ts'
import type { ServiceInfo } from './service-info.usecases.ts'

export const ServiceInfoResponse = z
  .object({
    pages: z
      .object({
        defaultRows: integerField('Default number of rows of a page.', 50),
        maximumRows: integerField(
          'Maximum number of rows of a page, unless the list states another limit.',
          200,
        ),
      })
      .openapi({ description: 'Limits of lists.' }),
    bodies: z
      .object({
        maximumBytes: integerField('Maximum number of bytes of a JSON body.', 1_048_576),
        maximumDepth: integerField('Maximum nesting depth of a JSON body.', 64),
      })
      .openapi({ description: 'Limits of requests.' }),
    uploads: z
      .object({
        maximumBytes: integerField('Maximum number of bytes of a file.', 26_214_400),
        allowedTypes: z.array(z.string()).openapi({
          description: 'Allowed media types of files.',
          example: ['application/pdf'],
        }),
      })
      .openapi({
        description: 'Limits of files in the default class. See GET /storage-class for groups.',
      }),
    rateLimits: z
      .object({
        windowSeconds: integerField('Length of a window in seconds.', 900),
        triesPerAccount: integerField(
          'Number of attempts to sign in or to confirm one’s identity, per account.',
          10,
        ),
        triesPerClient: integerField(
          'Number of such attempts and registrations, per IPv4 address or IPv6 network of the caller.',
          100,
        ),
        mailsPerAddress: integerField('Number of mails of one kind that an address receives.', 5),
      })
      .openapi({
        description: 'Limits per window. Further requests are answered with 429 and Retry-After.',
      }),
    features: z
      .object({
        registration: z
          .enum(['open', 'invite', 'closed'])
          .openapi({ description: 'Who may register.', example: 'invite' }),
        mail: booleanField('Whether mails are sent. Otherwise they wait.', true),
        referenceRates: booleanField('Whether exchange rates are fetched every night.', true),
        description: booleanField('Whether this build includes the description of the API.', false),
      })
      .openapi({ description: 'Features that are enabled.' }),
  })
  .openapi('ServiceInfoResponse')

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
