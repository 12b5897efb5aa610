import { readFile } from 'node:fs/promises'
import { afterEach, expect } from 'vitest'
import { networkApi } from '#contract/network/index.ts'
import { routerApi } from '#contract/router/index.ts'
import type { SiteName } from '#infra/lab/bed/sites.ts'
import { type Customer, OFFICE, createCustomer, officeOf } from '#infra/lab/customers.ts'
import { localSecrets } from '#infra/local/secrets.ts'
import { type Names, type Recording, type Stage, RecordedRouter } from './recorded-router.ts'

/* The lab's network OFFICE in an account of its own, with routers that send the frames recorded in a run of the lab. */

const RECORDING = new URL('../support/frames/office.json', import.meta.url)
const SITES: readonly SiteName[] = [...OFFICE.center, ...OFFICE.point]
const PASSWORD = 'Weilai26'

export interface RecordedOffice extends ReturnType<typeof officeOf> {
  readonly username: string
  /** Software member that dials a centre, with its password. */
  readonly member: { readonly name: string; readonly password: string }
  router(site: SiteName): RecordedRouter
  /** All routers report the links of a stage, and answer as they did then. */
  play(stage: Stage): void
}

/** Offices of one test file; their routers leave with each test, and none has been asked what the recording does not answer. */
export function useRecordedOffice(origin: string): () => Promise<RecordedOffice> {
  const routers: RecordedRouter[] = []
  afterEach(() => {
    const open = routers.splice(0)
    for (const router of open) router.close()
    expect(open.flatMap(({ unanswered }) => unanswered)).toEqual([])
  })

  return async () => {
    const recording = JSON.parse(await readFile(RECORDING, 'utf8')) as Recording
    const server = { origin, operatorToken: localSecrets().OPERATOR_TOKEN }
    const username = `lab1${Math.random().toString(36).slice(2, 9)}` // with a digit: a name is no word of a foreign language
    const customer = await createCustomer(server, { username, password: PASSWORD }, [OFFICE])
    const office = officeOf(customer)
    const { call, network_number } = office
    const member = { name: `wang.fang@${username}`, password: PASSWORD }
    const added = { router_type: 2, username: 'wang.fang', password: PASSWORD, network_number } as const
    await call(routerApi.add, added)
    const names = toNames(customer, member.name)
    const bySite = new Map<SiteName, RecordedRouter>()
    for (const site of SITES) {
      const router = new RecordedRouter(recording, site, names)
      bySite.set(site, router)
      routers.push(router)
      await router.connect(origin, customer.devices.get(site)!)
    }
    await expect.poll(() => readStates(office)).toEqual(['up'])
    return {
      ...office,
      username,
      member,
      router: (site) => bySite.get(site)!,
      play: (stage) => bySite.forEach((router) => router.play(stage)),
    }
  }
}

/** States of the links, each once; `applying` until every device has its configuration. */
async function readStates({ call, network_number }: ReturnType<typeof officeOf>): Promise<readonly string[]> {
  const { link, health } = await call(networkApi.status, { network_number })
  const isApplied = health.config.applied === SITES.length
  return isApplied ? [...new Set(link.map(({ state }) => state))] : ['applying']
}

function toNames({ devices, networks }: Customer, member: string): Names {
  return {
    network: networks.get(OFFICE.name) ?? '',
    member,
    nameOf: (site) => devices.get(site as SiteName)?.serial ?? '',
    siteOf: (name) => [...devices].find(([, { serial }]) => serial === name)?.[0] ?? '',
    addresses: new Map(),
  }
}
