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
        defaultRows: integerField('Rows of a page where nobody says how many.', 50),
        maximumRows: integerField(
          'Rows of a page at most; a list that takes fewer or more says so.',
          200,
        ),
      })
      .openapi({ description: 'What lists give.' }),
    bodies: z
      .object({
        maximumBytes: integerField('Bytes of a JSON body at most.', 1_048_576),
        maximumDepth: integerField('How deep it may be nested.', 64),
      })
      .openapi({ description: 'What requests may bring.' }),
    uploads: z
      .object({
        maximumBytes: integerField('Bytes of a file at most.', 26_214_400),
        allowedTypes: z.array(z.string()).openapi({
          description: 'Media types that a file may have.',
          example: ['application/pdf'],
        }),
      })
      .openapi({ description: 'Where no group says otherwise; see /storage-class.' }),
    rateLimits: z
      .object({
        windowSeconds: integerField('How long a window is.', 900),
        triesPerAccount: integerField('Tries to sign in or to prove who one is, by account.', 10),
        triesPerClient: integerField(
          'The same and registrations, by the address of the caller.',
          100,
        ),
        mailsPerAddress: integerField('Mails of one kind that an address gets.', 5),
      })
      .openapi({ description: 'What a window allows; beyond it are 429 and Retry-After.' }),
    features: z
      .object({
        registration: z
          .enum(['open', 'invite', 'closed'])
          .openapi({ description: 'Who may register.', example: 'invite' }),
        mail: booleanField('Whether mails are sent; else they wait.', true),
        referenceRates: booleanField('Whether exchange rates are fetched every night.', true),
        description: booleanField(
          'Whether this build carries a description of the interface.',
          false,
        ),
      })
      .openapi({ description: 'What is switched on.' }),
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
