import { beforeAll, describe, expect, it } from 'vitest'
import { accountApi } from '#contract/account/index.ts'
import { announcementsApi } from '#contract/announcements/index.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import { EXAMPLE, type Endpoint } from '#contract/kernel/endpoint.ts'
import { messageApi } from '#contract/message/index.ts'
import { PERMISSIONS, type Permission } from '#contract/kernel/permissions.ts'
import { monitorApi } from '#contract/monitor/index.ts'
import { webhookApi } from '#contract/webhook/index.ts'
import { createOutside } from '#outside/adapters.ts'
import { type Caller, type SubOver, createFleet, createNetwork, createSubAccount } from '#tests/support/fixtures.ts'
import { createTestWorker } from '#tests/support/test-worker.ts'
import { findOffenders } from '#tests/support/offenders.ts'

/** Needs no permission: whoever is signed in. */
const ALL = 'session'
type Needed = Permission | typeof ALL
/** Permission that a sub-account needs for each call; 'account' marks calls refused to limited roles. */
const RIGHTS: Readonly<Record<string, readonly [Needed, 'account'?]>> = {
  'monitor/config': ['monitor:view'],
  'monitor/routers': ['monitor:view'],
  'webhook/config': ['monitor:view'],
  'monitor/alerts': ['monitor:view'],
  'monitor/children': ['monitor:view'],
  'monitor/deliveries': ['monitor:view'],
  'monitor/mutes': ['monitor:view'],
  'monitor/unsent': ['monitor:view'],
  'monitor/enable': ['monitor:create', 'account'],
  'monitor/setting': ['monitor:edit'],
  'monitor/mute': ['monitor:edit'],
  'monitor/unmute': ['monitor:edit'],
  'monitor/acknowledge': ['monitor:edit'],
  'monitor/resend': ['monitor:edit'],
  'webhook/setting': ['monitor:edit', 'account'],
  'webhook/test': ['monitor:edit', 'account'],
  'monitor/close': ['monitor:delete', 'account'],
  'webhook/delete': ['monitor:delete', 'account'],
  'contacts/lists': [ALL],
  'contacts/info': [ALL],
  'contacts/create': ['monitor:edit', 'account'],
  'contacts/edit': ['monitor:edit', 'account'],
  'contacts/delete': ['monitor:edit', 'account'],
  'contacts/send_validate_email': ['monitor:edit', 'account'],
  'contacts/update_verify': ['monitor:edit', 'account'],
  'announcements/lists': [ALL],
  'announcements/info': [ALL],
  'message/lists': [ALL],
  'message/info': [ALL],
  'message/update_message': [ALL],
  'message/delete_message': [ALL],
  'account/service': [ALL],
}

const nouns = [monitorApi, webhookApi, contactsApi, announcementsApi, messageApi]
const closed = nouns
  .flatMap((api) => Object.values<Endpoint>(api))
  .filter(({ access }) => access !== 'public')
  .concat(accountApi.service)

const ROLES = [
  [],
  ...PERMISSIONS.map((flag) => [flag]),
  [...PERMISSIONS],
] as const satisfies readonly (readonly Permission[])[]
const nameOf = (flags: readonly Permission[]) =>
  flags.length === 0 ? 'none' : flags.length > 1 ? 'every flag' : flags[0]!

const outside = (bindings: Env) => ({
  ...createOutside(bindings),
  webhook: { send: async () => ({ kind: 'ok', code: '0', words: 'ok' }) as const },
})
const worker = createTestWorker({ outside })
let main: Caller
let network: string
let router: string
beforeAll(async () => {
  const fleet = await createFleet({ hardware: 2 })
  main = fleet.main
  router = fleet.routers[0]!.name
  network = await createNetwork(main, fleet.routers)
})

type Refused = 'PERMISSION_DENIED' | 'MONITOR_LIMITED' | null
/** Of these two, or null where the call got past both. */
async function refusedBy(spec: Endpoint, who: Pick<Caller, 'token'>): Promise<Refused> {
  const input = JSON.parse(JSON.stringify(spec.example).replaceAll(EXAMPLE.router_name, router)) as object
  const { reason, status } = await worker.call(spec, input, who.token)
  expect(status).not.toBe(500)
  return reason === 'PERMISSION_DENIED' || reason === 'MONITOR_LIMITED' ? reason : null
}

function expected(path: string, flags: readonly Permission[], isListed: boolean): Refused {
  const [needed, scope] = RIGHTS[path]!
  if (needed !== ALL && !flags.includes(needed)) return 'PERMISSION_DENIED'
  if (!isListed || scope !== 'account') return null
  return path.startsWith('contacts/') ? 'PERMISSION_DENIED' : 'MONITOR_LIMITED'
}

describe('account 6 · rights on monitoring, webhook, contacts, messages and announcements', () => {
  it('are written down for every call of these', () => {
    expect(Object.keys(RIGHTS).toSorted()).toEqual(closed.map(({ path }) => path).toSorted())
  })

  const scopes = [
    ['all networks', false],
    ['listed networks', true],
  ] as const
  const cells = scopes.flatMap(([scope, isListed]) =>
    ROLES.map((flags) => [nameOf(flags), scope, flags, isListed] as const),
  )
  it('each role may make its own calls, on all networks and on one', async () => {
    const offenders = await findOffenders(cells)(async (_name, _scope, flags, isListed) => {
      const role: SubOver = { flags, networks: isListed ? [network] : null }
      const sub = await createSubAccount(main, role)
      const found: Record<string, Refused> = {}
      for (const spec of closed) found[spec.path] = await refusedBy(spec, sub)
      const wanted = closed.map(({ path }) => [path, expected(path, flags, isListed)] as const)
      expect(found).toEqual(Object.fromEntries(wanted))
    })
    expect(offenders).toEqual([])
  })

  it('the main account may do all of it', async () => {
    for (const spec of closed) expect([spec.path, await refusedBy(spec, main)]).toEqual([spec.path, null])
  })
})
