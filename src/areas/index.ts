import type { Work } from '../platform/tasks.ts'
import { authRoutes } from './auth/auth.routes.ts'
import { serviceRoutes } from './service/service.routes.ts'

/**
 * The areas, ranked: an area may import the public face of those above it only. Also the order in which
 * their routes are matched and described.
 */
export const areas = [serviceRoutes, authRoutes]

export const work: Work = { jobs: [], schedule: {} }
