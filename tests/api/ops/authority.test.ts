import { describe, expect, it } from 'vitest'
import { opsApi } from '#contract/ops/index.ts'
import { revocationLists, revocations } from '#db/schema/authorities.ts'
import {
  authoritiesOf,
  certificatesOf,
  insertCertificate,
  listsOf,
  revocationsOf,
} from '#tests/support/certificates/rows.ts'
import {
  createMainAccount,
  createNetwork,
  createRouter,
  networkRow,
  refreshed,
  selectAudits,
  toHubs,
  unique,
} from '#tests/support/fixtures.ts'
import { call, db, hubCalls, refusal } from '#tests/support/test-worker.ts'

/** Account with a network of two members with tunnels, one without, and rows of all kinds of keys. */
async function createKeys() {
  const main = await createMainAccount({ services: { network_member: 10 } })
  const { accountId } = main
  const [center, point] = [1, 1].map(() => createRouter(accountId, { state: { vpn: 1 } }))
  const members = [await center!, await point!, await createRouter(accountId)]
  const { id: networkId } = await networkRow(await createNetwork(main, members))
  for (const router of members.slice(0, 2)) await insertCertificate({ ...router, accountId })
  const [authority] = await authoritiesOf(accountId)
  await db.insert(revocations).values({ accountId, networkId, serial: unique(), revokedAt: 1, expiresAt: 2 })
  await db.insert(revocationLists).values({ networkId, accountId, authorityId: authority!.id, newest: 1, list: '' })
  const rowsOf = async () => [
    await authoritiesOf(accountId),
    await certificatesOf(members[0]!.name),
    await certificatesOf(members[1]!.name),
    await revocationsOf(networkId),
    await listsOf(networkId),
  ]
  return { main, members, rowsOf }
}

describe('design 1 · ops · authority', () => {
  it('ends with all that it has signed, for this account alone, and its devices with tunnels read their rows', async () => {
    const [own, other] = [await createKeys(), await createKeys()]
    const before = await other.rowsOf()
    const since = hubCalls.length
    const answer = await call(opsApi.reissueAuthority, { account: own.main.username })
    expect(answer).toMatchObject({ code: 200, data: { certificates: 2, queued: 2 } })
    expect(await own.rowsOf()).toEqual([[], [], [], [], []])
    expect(await other.rowsOf()).toEqual(before)
    expect(refreshed(since)).toEqual(toHubs(...own.members.slice(0, 2)))
    expect((await selectAudits(own.main.accountId)).at(-1)).toMatchObject({
      module: 'ops',
      action: 'authority/reissue',
      target: own.main.username,
      message: '运营更换证书颁发机构，设备的证书全部重新签发',
    })
  })

  it('of an account without tunnels, or of none', async () => {
    const main = await createMainAccount()
    const { data } = await call(opsApi.reissueAuthority, { account: main.username })
    expect(data).toEqual({ certificates: 0, queued: 0 })
    expect(await call(opsApi.reissueAuthority, { account: unique('none') })).toMatchObject(refusal('ACCOUNT_NOT_FOUND'))
  })
})
