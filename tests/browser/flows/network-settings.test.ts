import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { callEndpoint } from '#infra/local/api.ts'
import type { Endpoint, Input } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { LINK_PREFERENCE } from '#domain/network/members/links.ts'
import { type Device, useDevices } from '../devices.ts'
import { startSession, useBrowserHarness } from '../browser-harness.ts'
import {
  NAME,
  FIRST,
  SECOND,
  POINT,
  build,
  openSettings,
  closeSettings,
  setRouting,
  addPrefix,
  chooseCiphers,
  openMember,
  advertiseDefaultRoute,
  fixPorts,
  chooseGateway,
  order,
  assignAreas,
} from '../network-steps.ts'
import { networkApi } from '#contract/network/index.ts'

const { origin, visitor } = useBrowserHarness()
const { ops, newAccount } = useDevices(origin)

const FLAGS = { quagga: 1, quagga_advanced: 1, default_route: 1 } as const
const DAY_MS = 86_400_000

/** First network in the document that a device runs. */
const networkOf = async ({ folder }: Device) => (await folder.readDocument())?.networks[0]
/** Waits until the document of a device has it. */
const expectIn = (device: Device, expected: object) =>
  expect.poll(() => networkOf(device)).toMatchObject(expected as Record<string, unknown>)

/** Nodes of the demo's areas, whose agents the simulator's process runs. */
const NODES = { 上海: 'NLPOPSH01', 成都: 'NLPOPCD01' } as const
const BANDWIDTH = 50

/** Network in the document that a node has confirmed; undefined if it has none. */
async function readNode(serial: string, network_number: string) {
  const path = join(inject('data'), 'agents', 'simulator', serial, 'config.json')
  const { confirmed } = JSON.parse(await readFile(path, 'utf8')) as { confirmed: { body: RouterDocument } | null }
  return confirmed?.body.networks.find((network) => network.network_number === network_number)
}
/** Waits until a node carries a network for this member, and for nobody else. */
const expectCarried = (serial: string, network_number: string, member: string) =>
  expect
    .poll(() => readNode(serial, network_number))
    .toMatchObject({
      member_type: 'pop',
      isolated: true,
      members: [{ router_name: member }],
      servers: [
        { service: 'router', rate_mbps: BANDWIDTH },
        { service: 'software', rate_mbps: BANDWIDTH },
      ],
      links: expect.arrayContaining([expect.objectContaining({ kind: 'pop', peer: member, role: 'server' })]),
    })

const TERM = { start_time: Date.now() - DAY_MS, expired_time: Date.now() + 100 * DAY_MS }
const buyMembers = (account: string) =>
  ops.call(opsApi.setService, { ...TERM, account, kind: 'network_member', name: '标准服务', quantity: 20 })

it('builds a network with two centres; its devices run what is set in it; POP access is ordered and used', async () => {
  const account = await newAccount(FLAGS)
  await buyMembers(account.username)
  const [first, second, point] = await Promise.all(
    [FIRST, SECOND, POINT].map((note, n) => account.start('NLSET', n, note!)),
  )
  if (!first || !second || !point) throw new Error('no devices')
  const page = await visitor()
  await startSession(page, origin, account.username)
  await build(page)
  await page.getByText('已保存，3 台设备已全部生效').waitFor()
  const network_number = new URL(page.url()).searchParams.get('network_number') ?? ''

  await openSettings(page)
  await setRouting(page)
  await expect
    .poll(async () => preferences(await networkOf(point)))
    .toEqual(
      [first, second]
        .map(({ serial }, i) => [serial, i === 0 ? LINK_PREFERENCE.main : LINK_PREFERENCE.secondary])
        .toSorted(),
    )
  await addPrefix(page)
  const rows = [{ permit: true, prefix: '10.20.0.0/16', ge: null, le: 32 }]
  for (const center of [first, second]) await expectIn(center, { routing: { rows } })
  await chooseCiphers(page)
  for (const device of [first, second, point]) await expectIn(device, { ciphers: 'sm' })

  await closeSettings(page)
  await openMember(page, first)
  await advertiseDefaultRoute(page)
  await expectIn(first, { routing: { default: { mode: 'advertise', metric: 30 } } })
  await fixPorts(page)
  await expect.poll(async () => (await networkOf(first))?.servers.map(({ port }) => port)).toEqual([31_194, 31_195])
  await expect.poll(async () => remotePorts(await networkOf(point), first.serial)).toEqual([31_194])
  await openMember(page, second)
  await chooseGateway(page)
  await expect
    .poll(async () => (await networkOf(second))?.addresses.map(({ segment }) => segment))
    .toEqual(['10.200.0.0/20'])
  await expect
    .poll(async () => (await networkOf(point))?.addresses.map(({ segment }) => segment))
    .toContain('10.200.0.0/20')

  await order(page)
  await complete(network_number)
  await assignAreas(page)
  const api = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(origin, '/api/v1', spec, input, account.token)
  const { member } = await api(networkApi.info, { network_number })
  const { ov_id } = member.find(({ router_name }) => router_name === point.serial)!
  expect(ov_id).toMatchObject({ main_name: '上海', backup_name: '成都', priority: 1 })

  const dialled = { kind: 'pop', role: 'client', rate_mbps: BANDWIDTH }
  const [main, backup] = [NODES.上海, NODES.成都].map((peer) => expect.objectContaining({ ...dialled, peer }))
  await expectIn(point, { links: expect.arrayContaining([main, backup]) })
  const popLinks = (await networkOf(point))!.links.filter(({ kind }) => kind === 'pop')
  const preferenceOf = (serial: string) => popLinks.find(({ peer }) => peer === serial)!.preference
  expect(preferenceOf(NODES.上海)).toBeGreaterThan(preferenceOf(NODES.成都))
  for (const serial of Object.values(NODES)) {
    await expectCarried(serial, network_number, point.serial)
    expect((await readNode(serial, network_number))!.routing.rows).toEqual(rows)
  }
})

type Running = Awaited<ReturnType<typeof networkOf>>
const preferences = (network: Running) =>
  network?.links.map(({ peer, preference }) => [peer, preference]).toSorted() ?? null
const remotePorts = (network: Running, peer: string) =>
  network?.links.find((link) => link.peer === peer)?.remotes.map(({ port }) => port)

/** The operator's steps; POP access in the documents of the devices follows from them. */
async function complete(network_number: string): Promise<void> {
  const waiting = await ops.call(opsApi.listNetworkTickets, {})
  const { number } = waiting.find((ticket) => ticket.network_number === network_number)!
  await ops.call(opsApi.startNetworkTicket, { number })
  await ops.call(opsApi.completeNetworkTicket, { number, name: '骨干接入' })
}

it('a role limited to one network sets, orders and assigns there; beside it nothing, and a role without the right only looks', async () => {
  const account = await newAccount(FLAGS)
  const api = <E extends Endpoint>(spec: E, input: Input<E>) =>
    callEndpoint(origin, '/api/v1', spec, input, account.token)
  await buyMembers(account.username)
  await ops.call(opsApi.setService, {
    ...TERM,
    account: account.username,
    kind: 'sub_account',
    name: '子账号',
    quantity: 5,
  })
  const center = await account.start('NLLIM', 0, FIRST!)
  const point = await account.claim('NLLIM', 1, POINT!)
  const elsewhere = await account.claim('NLLIM', 2, '门店二')
  const create = async (network_name: string, center: string[], point: string[]) =>
    (await api(networkApi.create, { network_name, center, point })).network_number
  const own = await create(NAME, [center.serial], [point.serial])
  const other = await create('其他组网', [elsewhere.serial], [])
  const { ticket } = await api(networkApi.ticketConfig, { network_number: other })
  await api(networkApi.ticket, {
    network_number: other,
    ticket: { pop: [ticket.pop[0]!.value], expired_time: 1, bandwidth: 50 },
  })
  const createRole = async (username: string, flags: Input<typeof opsApi.createRam>['flags']) => {
    const role = { username, nickname: username, role: username, password: account.password }
    return ops.call(opsApi.createRam, { account: account.username, ...role, flags, networks: [own] })
  }
  const [editor, reader] = [await createRole('editor', ['network:edit']), await createRole('reader', [])]

  const page = await visitor()
  await startSession(page, origin, editor.login_name, account.password)
  await page.goto('/network/lists')
  await page.getByRole('link', { name: NAME, exact: true }).click()
  await page.getByRole('button', { name: '管理成员' }).waitFor()
  await openSettings(page)
  await addPrefix(page)
  await closeSettings(page)
  await expectIn(center, { routing: { rows: [{ permit: true, prefix: '10.20.0.0/16' }] } })
  await page.getByRole('button', { name: `${NAME} 的更多操作` }).click()
  expect(await page.getByRole('menuitem').allTextContents()).not.toContain('删除')
  await page.keyboard.press('Escape')
  await order(page)
  await expect.poll(() => page.getByRole('table', { name: '组网' }).locator('tbody tr').count()).toBe(1)
  await complete(own)
  await assignAreas(page)
  for (const serial of Object.values(NODES)) await expectCarried(serial, own, point.serial)
  await page.goto('/network/ticket_lists')
  await page.getByRole('row').filter({ hasText: '已完成' }).waitFor()
  expect(await page.getByRole('table', { name: '组网工单' }).locator('tbody tr').count()).toBe(1)
  await page.goto(`/network/ticket_create?network_number=${other}`)
  await page.getByText('组网不存在或已被删除').first().waitFor()

  const looking = await visitor()
  await startSession(looking, origin, reader.login_name, account.password)
  await looking.goto(`/network/detail?network_number=${own}&member=${center.serial}&panel=settings`)
  await looking.getByRole('complementary', { name: FIRST! }).getByText('固定端口').waitFor()
  expect(await looking.getByRole('button', { name: /^(修改|管理成员|添加成员)/ }).count()).toBe(0)
  await looking.goto(`/network/ticket_create?network_number=${own}`)
  await looking.getByText('没有权限').or(looking.getByText('没有操作权限')).first().waitFor()
})
