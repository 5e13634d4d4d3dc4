import { rows } from './api.ts'
import type { Sample } from './sample-parts.ts'
import { newUser, type TestUser } from './world.ts'

const of = (id: string, more: Omit<Sample, 'path'> = {}): Sample => ({ path: { id }, ...more })

/** The samples of the area `groups`, for the owner of what `make` makes. */
export async function samplesOfGroups(
  make: (path: string, json: object) => Promise<{ id: string }>,
): Promise<Record<string, Sample>> {
  const group = await make('/group', { name: 'Home' })
  const [outsider, guest, joined] = [await newUser(), await newUser(), await newUser()]
  const doomedGroup = await make('/group', { name: 'Trip' })
  const banned = await make('/group', { name: 'Club' })
  const placed = async (user: TestUser, role: string, id = group.id) => {
    await rows('INSERT INTO group_members VALUES (?, ?, ?, 0, 1)', id, user.id, role)
    return user
  }
  const [removed, promoted, heir] = [
    await placed(await newUser(), 'member'),
    await placed(await newUser(), 'viewer'),
    await placed(await newUser(), 'member', doomedGroup.id),
  ]
  await placed(joined, 'member')
  const evicted = await placed(await newUser(), 'member', banned.id)
  const into = (json: object) => make(`/group/${group.id}/invite`, json)
  const withdrawn = await into({})
  const [toGuest, toOutsider] = [
    await into({ email: guest.email }),
    await into({ email: outsider.email }),
  ]
  await rows('UPDATE users SET email_verified_at = 1 WHERE id IN (?, ?)', guest.id, outsider.id)
  return {
    listReceivedGroupInvites: { as: guest },
    acceptGroupInvite: { as: guest, json: { inviteId: toGuest.id } },
    declineGroupInvite: { as: outsider, json: { inviteId: toOutsider.id } },
    listGroupInvites: of(group.id),
    createGroupInvite: of(group.id, { json: { role: 'viewer' } }),
    withdrawGroupInvite: { path: { id: group.id, inviteId: withdrawn.id } },
    listOwnGroups: {},
    createGroup: { json: { name: 'Hut', kind: 'trip' } },
    getGroup: of(group.id),
    updateGroup: of(group.id, { json: { name: 'House' } }),
    listGroupAccounts: of(group.id),
    getGroupSummary: of(group.id, { query: '?currency=USD' }),
    listGroupActivity: of(group.id),
    listGroupMembers: of(group.id),
    updateGroupMember: { path: { id: group.id, userId: promoted.id }, json: { role: 'admin' } },
    removeGroupMember: { path: { id: group.id, userId: removed.id } },
    leaveGroup: of(group.id, { as: joined }),
    listAllGroups: {},
    getAnyGroup: of(group.id),
    updateAnyGroup: of(banned.id, { json: { suspended: true } }),
    addGroupMember: of(banned.id, { json: { userId: heir.id } }),
    removeAnyGroupMember: { path: { id: banned.id, userId: evicted.id } },
    deleteAnyGroup: of(banned.id),
    transferGroupOwner: of(doomedGroup.id, { json: { userId: heir.id } }),
    deleteGroup: of(doomedGroup.id, { as: heir, after: 'transferGroupOwner' }),
  }
}
