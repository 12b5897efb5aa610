import { describe, expect, it } from 'vitest'
import { API } from '#contract/api.ts'
import { PERMISSIONS } from '#contract/kernel/permissions.ts'
import { createContact } from '#tests/support/contacts.ts'
import { type Ids, NAMES, toInput } from '#tests/support/example-input.ts'
import {
  type Caller,
  createMainAccount,
  createNetwork,
  createRouter,
  createSoftwareRouter,
  createSubAccount,
} from '#tests/support/fixtures.ts'
import { findOffenders } from '#tests/support/offenders.ts'

const PHONE = '13800137777'
const CONTACT = { name: '欧阳值班', email: 'ouyang.zhiban@contacts.example' }

const reads = API.filter(({ method, access }) => method === 'GET' && access !== 'public' && access !== 'client')

async function createPeople() {
  const main = await createMainAccount({ services: { network_member: 10, software_member: 10 } })
  const center = await createRouter(main.accountId)
  const client = await createSoftwareRouter(main.accountId, { phone: PHONE })
  const network = await createNetwork(main, [center, client])
  await createContact(main, CONTACT.email, CONTACT.name)
  return { main, ids: { ...NAMES, network, router: client.name } satisfies Ids }
}

/** Reads of which an answer holds one of these words. */
const findTelling = (by: Caller, ids: Ids, words: readonly string[]) =>
  findOffenders(reads.map((spec) => [spec.path, spec] as const))(async (_, spec) => {
    const { data } = await by.call(spec, toInput(spec, ids))
    expect(words.filter((word) => JSON.stringify(data).includes(word))).toEqual([])
  })

describe('directory 6 · personal data is masked in every read', () => {
  it('phones of members, for a role without router:edit', async () => {
    const { main, ids } = await createPeople()
    const viewer = await createSubAccount(main, { flags: PERMISSIONS.filter((flag) => flag !== 'router:edit') })
    expect((await findTelling(main, ids, [PHONE])).length).toBeGreaterThanOrEqual(2)
    expect(await findTelling(viewer, ids, [PHONE])).toEqual([])
  })

  it('names and addresses of contacts, for a role that does not see alerts', async () => {
    const { main, ids } = await createPeople()
    const flags = PERMISSIONS.filter((flag) => !flag.startsWith('monitor'))
    const words = Object.values(CONTACT)
    expect((await findTelling(main, ids, words)).length).toBeGreaterThanOrEqual(1)
    expect(await findTelling(await createSubAccount(main, { flags }), ids, words)).toEqual([])
  })
})
