import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import { type ClaimedDevice, claimDevice, createAccount, openConsole } from '#infra/bench/account.ts'
import type { Server } from '#infra/bench/stack.ts'
import type { Call } from '#infra/local/api.ts'
import { FORWARDED, SITES, type SiteName } from './bed/sites.ts'

/* Customers of the lab, set up by the calls of operator and console as people would. */

const PASSWORD = 'LabTest2026'
const FEATURES = { quagga: 1, quagga_advanced: 1, default_route: 1 } as const
const SEATS = { network_member: 50, center: 10, software_member: 50, sub_account: 5 } as const

export interface Customer {
  readonly username: string
  readonly password: string
  readonly call: Call
  readonly devices: ReadonlyMap<SiteName, ClaimedDevice>
  /** Numbers of its networks by name. */
  readonly networks: ReadonlyMap<string, string>
}

interface NetworkPlan {
  readonly name: string
  readonly center: readonly SiteName[]
  readonly point: readonly SiteName[]
}

/** Networks of the bed: OFFICE has two centres, PLANT shares its point E with it, and FOREIGN is another customer's. */
export const OFFICE: NetworkPlan = { name: '办公网', center: ['A', 'B'], point: ['C', 'D', 'E'] }
export const PLANT: NetworkPlan = { name: '生产网', center: ['F'], point: ['E'] }
const FOREIGN: NetworkPlan = { name: '外部网', center: ['X'], point: ['Y'] }

const sitesOf = ({ center, point }: NetworkPlan): readonly SiteName[] => [...center, ...point]

const serialOf = ({ devices }: Customer, site: SiteName): string => {
  const device = devices.get(site)
  if (!device) throw new Error(`no device of ${site}`)
  return device.serial
}

export async function createCustomers(server: Server): Promise<readonly [Customer, Customer]> {
  return [
    await createCustomer(server, { username: 'labone', password: PASSWORD }, [OFFICE, PLANT]),
    await createCustomer(server, { username: 'labtwo', password: PASSWORD }, [FOREIGN]),
  ]
}

interface Person {
  readonly username: string
  readonly password: string
  readonly nickname?: string
}

/** Creates an account with the routers and networks of some plans. */
export async function createCustomer(server: Server, person: Person, plans: readonly NetworkPlan[]): Promise<Customer> {
  const { username, password } = person
  const email = `${username}@lab.test` // passwords of members are changed by accounts with an address alone
  await createAccount(server, { ...person, sign: username, email, ...FEATURES }, SEATS)
  const call = openConsole(server, username)
  const devices = new Map<SiteName, ClaimedDevice>()
  for (const site of new Set(plans.flatMap(sitesOf)))
    devices.set(site, await claimDevice(server, call, `NL${username.toUpperCase()}${site}`, `路由${site}`))
  const networks = new Map<string, string>()
  const customer = { username, password, call, devices, networks }
  for (const plan of plans) networks.set(plan.name, await createNetwork(customer, plan))
  return customer
}

async function createNetwork(customer: Customer, { name, center, point }: NetworkPlan): Promise<string> {
  const { call } = customer
  const names = (sites: readonly SiteName[]) => sites.map((site) => serialOf(customer, site))
  const { network_number } = await call(networkApi.create, {
    network_name: name,
    center: names(center),
    point: names(point),
  })
  if (center.includes('A')) await call(networkApi.fixedPort, forwardedPorts(network_number, serialOf(customer, 'A')))
  return network_number
}

/** Ports of centre A, as its owner has forwarded them. */
const forwardedPorts = (network_number: string, router_name: string) => {
  const port = (n: number) => ({
    public_ip: SITES.A.address,
    public_port: FORWARDED.outside + n,
    static_port: FORWARDED.inside + n,
  })
  return { network_number, router_name, router_service: port(0), software_service: port(1) }
}

/** Calls about the network OFFICE by its first customer, and the names of its routers. */
export function officeOf(customer: Customer) {
  return {
    call: customer.call,
    network_number: customer.networks.get(OFFICE.name) ?? '',
    name: (site: SiteName): string => serialOf(customer, site),
  }
}

/** Hardware of the account as the console lists it, by site. */
export async function readRouters({ call, devices }: Customer) {
  const rows = await call(routerApi.lists, { type: 1, page: 1, limit: 100 })
  return [...devices].map(([site, { serial }]) => ({ site, row: rows.find((one) => one.router_name === serial) }))
}
