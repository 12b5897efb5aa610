import { clientApi } from '#contract/client/index.ts'
import type { Output } from '#contract/kernel/endpoint.ts'
import { routerApi } from '#contract/router/index.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { SITES } from '../bed/sites.ts'
import { officeOf } from '../customers.ts'
import type { Lab } from '../lab.ts'

/* Software members of the first customer, and what the service offers them for a dial. */

const PASSWORD = 'LabDial2026'

export interface SoftwareMember {
  /** Name with the suffix of its account. */
  readonly name: string
  readonly password: string
}

export type Offer = Output<typeof clientApi.dial>

/** Offer with the servers of centre A alone. */
export const offerOfA = (offer: Offer): Offer => ({
  ...offer,
  servers: offer.servers.filter(({ remotes }) => remotes.some(({ host }) => host === SITES.A.address)),
})

/** Adds a member to a network; by default to OFFICE. */
export async function addMember({ customers: [customer] }: Lab, username: string, number?: string) {
  const { call, network_number } = officeOf(customer)
  await call(routerApi.add, {
    router_type: 2,
    username,
    password: PASSWORD,
    network_number: number ?? network_number,
  })
  return { name: `${username}@${customer.username}`, password: PASSWORD }
}

export async function deleteMembers({ customers: [{ call }] }: Lab, members: readonly SoftwareMember[]): Promise<void> {
  for (const { name } of members) await call(routerApi.delete, { router_name: name, confirm: 1 })
}

/** Signs a member in, and returns the way to its offers: each has a fresh token. */
export async function signIn(
  { stack, customers: [customer] }: Lab,
  { name, password }: SoftwareMember,
  number?: string,
): Promise<() => Promise<Offer>> {
  const { network_number } = officeOf(customer)
  const session = await callEndpoint(stack.origin, '/api/v1', clientApi.login, { username: name, password })
  const input = { network_number: number ?? network_number }
  return () => callEndpoint(stack.origin, '/api/v1', clientApi.dial, input, session.access_token)
}
