import { z } from '@hono/zod-openapi'
import { whole, yes } from '../../http/fields.ts'

export const ServiceInfoResponse = z
  .object({
    pages: z
      .object({
        defaultRows: whole('Rows of a page where nobody says how many.', 50),
        maximumRows: whole('Rows of a page at most; a list that takes fewer or more says so.', 200),
      })
      .openapi({ description: 'What lists give.' }),
    bodies: z
      .object({
        maximumBytes: whole('Bytes of a JSON body at most.', 1_048_576),
        maximumDepth: whole('How deep it may be nested.', 64),
      })
      .openapi({ description: 'What requests may bring.' }),
    uploads: z
      .object({
        maximumBytes: whole('Bytes of a file at most.', 26_214_400),
        allowedTypes: z.array(z.string()).openapi({
          description: 'Media types that a file may have.',
          example: ['application/pdf'],
        }),
      })
      .openapi({ description: 'Where no group says otherwise; see /storage-class.' }),
    rateLimits: z
      .object({
        windowSeconds: whole('How long a window is.', 900),
        triesPerAccount: whole('Tries to sign in or to prove who one is, by account.', 10),
        triesPerClient: whole('The same and registrations, by the address of the caller.', 100),
        mailsPerAddress: whole('Mails of one kind that an address gets.', 5),
      })
      .openapi({ description: 'What a window allows; beyond it are 429 and Retry-After.' }),
    features: z
      .object({
        registration: z
          .enum(['open', 'invite', 'closed'])
          .openapi({ description: 'Who may register.', example: 'invite' }),
        mail: yes('Whether mails are sent; else they wait.', true),
        referenceRates: yes('Whether exchange rates are fetched every night.', true),
        description: yes('Whether this build carries a description of the interface.', false),
      })
      .openapi({ description: 'What is switched on.' }),
  })
  .openapi('ServiceInfoResponse')
