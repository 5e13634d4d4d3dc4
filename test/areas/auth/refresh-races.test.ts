import { expect, it } from 'vitest'
import {
  logout,
  refreshToken as refreshTokenRoute,
} from '../../../src/areas/identity/auth/auth.routes.ts'
import { call, rows } from '../../support/api.ts'
import { rounds } from '../../support/rounds.ts'
import { newUser, type TestUser } from '../../support/world.ts'

const ROUNDS = rounds(8, 200)
const USES = 20

/** One token, used by all at the same moment. */
async function round() {
  const me = await newUser()
  const json = { refreshToken: me.refreshToken }
  const answers = await Promise.all(
    Array.from({ length: USES }, () => call(refreshTokenRoute, { json })),
  )
  const won = answers.filter(({ status }) => status === 200)
  const lost = answers.filter(
    ({ status, error }) => status === 401 && error.code === 'auth.invalidRefreshToken',
  )
  // Whoever was first, owner or thief: what they got is worth nothing any more.
  const successors = await Promise.all(
    won.map(({ body }) => call(refreshTokenRoute, { json: { refreshToken: body.refreshToken } })),
  )
  const [found] = await rows<{ revoked: number; live: number; issued: number; told: number }>(
    `SELECT
      (SELECT count(*) FROM sessions WHERE user_id = ?1 AND revoked_at IS NOT NULL) AS revoked,
      (SELECT count(*) FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
        WHERE s.user_id = ?1 AND s.revoked_at IS NULL) AS live,
      (SELECT count(*) FROM refresh_tokens t JOIN sessions s ON s.id = t.session_id
        WHERE s.user_id = ?1) AS issued,
      (SELECT count(*) FROM log_entries WHERE owner_id = ?1 AND type = 'session.refreshTokenReused') AS told`,
    me.id,
  )
  return {
    answered: won.length + lost.length,
    isAtMostOneSuccessor: won.length <= 1 && found?.issued === 1 + won.length,
    isSuccessorDead: successors.every(({ status }) => status === 401),
    isFamilyRevoked: found?.revoked === 1 && found.live === 0,
    isLogged: (found?.told ?? 0) > 0,
  }
}

it('ends the family in every round of 20 parallel uses of one token, and logs it', async () => {
  const found = []
  for (let at = 0; at < ROUNDS; at++) {
    found.push(await round())
  }
  expect(found).toEqual(
    Array.from({ length: ROUNDS }, () => ({
      answered: USES,
      isAtMostOneSuccessor: true,
      isSuccessorDead: true,
      isFamilyRevoked: true,
      isLogged: true,
    })),
  )
})

it('leaves nothing alive when signing out and refreshing come at the same moment', async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => newUser()))
  const alive = await Promise.all(users.map(signOutAndRefresh))
  expect(alive).toEqual(users.map(() => 0))
})

async function signOutAndRefresh({ id, accessToken, refreshToken }: TestUser): Promise<number> {
  await Promise.all([
    call(refreshTokenRoute, { json: { refreshToken } }),
    call(logout, { as: { accessToken } }),
  ])
  const live = await rows('SELECT id FROM sessions WHERE user_id = ? AND revoked_at IS NULL', id)
  return live.length
}
