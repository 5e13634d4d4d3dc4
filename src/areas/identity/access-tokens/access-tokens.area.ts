import type { Area } from '../../area.ts'
import * as accessTokens from './access-tokens.routes.ts'

export const accessTokensArea: Area = { tag: 'Personal access tokens', operations: [accessTokens] }
