import { createMemberFile } from '#tests/support/workbooks.ts'
import { SHORT_MARKUP, PAYLOADS } from '#tests/support/hostile/payloads.ts'
import { Dealer, type StoredText } from '#tests/support/hostile/dealer.ts'
import { callEndpoint } from '#infra/local/api.ts'
import { clientApi } from '#contract/client/index.ts'
import { contactsApi } from '#contract/contacts/index.ts'
import type { Endpoint, Input, Output } from '#contract/kernel/endpoint.ts'
import { opsApi } from '#contract/ops/index.ts'
import { ramRoleApi } from '#contract/ram-role/index.ts'
import { SAAS } from '#contract/saas/limits.ts'
import { TICKET } from '#contract/ticket/limits.ts'
import { ticketApi } from '#contract/ticket/index.ts'
import { webhookApi } from '#contract/webhook/index.ts'
import { connectDevice } from './device-socket.ts'
import { sendHostileFrames } from './hostile-frames.ts'
import type { useOps } from './ops.ts'
import { accountApi } from '#contract/account/index.ts'
import { OCCUPATION_MAX } from '#contract/account/limits.ts'
import { CLIENT } from '#contract/client/limits.ts'
import { loginApi } from '#contract/login/index.ts'
import { networkApi } from '#contract/network/index.ts'
import { NETWORK } from '#contract/network/limits.ts'
import { RAM_ROLE } from '#contract/ram-role/limits.ts'
import { routerApi } from '#contract/router/index.ts'

type Ops = ReturnType<typeof useOps>

const MEMBERS = 40
const DAY_MS = 86_400_000
/** Under what the session list says that it was opened. */
const USER_AGENT = '<svg/onload=xss()> Chrome/120.0 <img src onerror=xss()>'

/** An account whose every text is markup: written through the calls that people, the operator, a client and a device have. */
export async function storeHostileTexts(origin: string, ops: Ops) {
  const deal = new Dealer()
  const account = await ops.newAccount()
  const { username, password, sign } = account
  const open = async () => {
    const { url } = await ops.call(opsApi.tokenLink, { account: username })
    const token = new URL(url).searchParams.get('token') ?? ''
    const response = await fetch(`${origin}/api/v1/${loginApi.authorization.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT },
      body: JSON.stringify({ token }),
    })
    const { data } = (await response.json()) as { data: { access_token: string } }
    return <E extends Endpoint>(spec: E, input: Input<E>) =>
      callEndpoint(origin, '/api/v1', spec, input, data.access_token)
  }
  const [call, other] = [await open(), await open()]

  const term = { start_time: Date.now() - DAY_MS, expired_time: Date.now() + 300 * DAY_MS }
  for (const kind of ['network_member', 'software_member', 'center'] as const)
    await ops.call(opsApi.setService, {
      account: username,
      kind,
      name: deal.text('ops service/set name', 64),
      quantity: 200,
      ...term,
    })
  const serial = `NLH${sign.toUpperCase()}`
  const model = deal.text('ops device/provision model', 64)
  const { activation_code: code } = await ops.call(opsApi.provisionDevice, { serial, model })
  const note = deal.text('router/add note', NETWORK.noteMax)
  await call(routerApi.add, { router_type: 1, username: serial, code, note })

  const rows = Array.from({ length: MEMBERS }, (_, i) => [`member${i}`, 'Weilai26', '', '', ''])
  const file = await createMemberFile([['账号', '密码', '国家代码', '手机号码', '备注'], ...rows])
  await call(routerApi.batch, { file })
  const members = rows.map(([name]) => `${name}@${sign}`)
  const notes: string[] = []
  for (const [i, router_name] of members.entries()) {
    notes.push(deal.text('router/note note', NETWORK.noteMax))
    await (i % 2 ? call : other)(routerApi.note, { router_name, note: notes[i]! })
  }
  notes[0] = deal.text('router/batch_note note', NETWORK.noteMax)
  await call(routerApi.batchNote, { router_name: [members[0]!], note: notes[0] })

  const point = members.slice(0, 4)
  const networkName = (field: StoredText) => deal.text(field, NETWORK.nameMax)
  const created = await call(networkApi.create, {
    network_name: networkName('network/create network_name'),
    center: [serial],
    point,
  })
  const { network_number } = created
  await call(networkApi.edit, {
    network_number,
    network_name: networkName('network/edit network_name'),
    center: [serial],
    point,
  })
  const network_name = networkName('network/name network_name')
  await call(networkApi.name, { network_number, network_name })
  const prefix = SHORT_MARKUP.map((_, i) => ({
    ip: `10.${i}.0.0`,
    mask: 16,
    name: deal.text('network/edit_prefix prefix[].name', NETWORK.noteMax),
  }))
  await call(networkApi.editPrefix, { network_number, prefix })

  const contacts: string[] = []
  for (let i = 0; i < 10; i++) {
    contacts.push(deal.text('contacts/create name', 24))
    const email = `c${i}.${username}@hostile.example.cn`
    const { uuid } = await other(contactsApi.create, { name: contacts[i]!, email })
    if (i > 0) continue
    contacts[0] = deal.text('contacts/edit name', 24)
    await other(contactsApi.edit, { uuid, name: contacts[0], email })
  }
  const occupation = deal.text('account/edit_data occupation', OCCUPATION_MAX)
  const profile = { account: username, nickname: '启明', birthday: '1990-01-31', industry: 'I13' as const }
  await call(accountApi.editData, { ...profile, occupation })
  const url = `https://hooks.${username}.cn/<svg/onload=xss()>?a="><img/src/onerror=xss()>`
  deal.filled.add('webhook/setting url')
  await call(webhookApi.setting, { type: 'other', url, secret: PAYLOADS[0]! })

  const titles: string[] = []
  for (let i = 0; i < 20; i++) {
    titles.push(deal.text('ops message/send title', 80))
    const content = deal.all('ops message/send content')
    await ops.call(opsApi.sendMessage, { account: username, title: titles[i]!, content, type: '系统' })
  }
  const nickname = deal.text('ops ram/create nickname', 24)
  const ram = await ops.call(opsApi.createRam, {
    account: username,
    username: 'desk',
    nickname,
    password,
    role: PAYLOADS[0]!,
    flags: ['monitor:view'],
  })

  const role = await storeRole(deal, call)
  const saas = await storeSaas(ops, deal, { account: username, serial })
  const ticket = await storeTicket(ops, deal, call)

  const system = (field: 'version' | 'sys_brand' | 'sys_model' | 'sys_version' | 'capabilities[]', max: number) => {
    deal.filled.add(`client/phone_login ${field}`) // the same record of the same fields
    return deal.text(`client/login ${field}`, max)
  }
  const signIn = {
    version: system('version', 32),
    sys_brand: system('sys_brand', 64),
    sys_model: system('sys_model', 64),
    sys_version: system('sys_version', 64),
    capabilities: [system('capabilities[]', CLIENT.capabilityMax)],
  }
  const right = { username: members[0]!, password: 'Weilai26', os: 'linux' as const, ...signIn }
  await callEndpoint(origin, '/api/v1', clientApi.login, right) // capabilities are kept of a sign-in that succeeds
  await callEndpoint(origin, '/api/v1', clientApi.login, { ...right, password: 'Wrong2026' }).catch(() => null)

  const announcement = await publish(ops, deal)
  const device = await connectDevice(origin, { serial, code })
  const said = await sendHostileFrames(device, deal, { serial, network_number, member: members[0]! })
  return {
    deal,
    account,
    ram,
    serial,
    members,
    network: { network_number, network_name },
    ticket,
    announcement,
    shown: {
      ...role,
      ...saas,
      note,
      notes,
      contacts,
      titles,
      nickname,
      model,
      signIn,
      prefix: prefix.map(({ name }) => name),
      ...said,
    },
    close: async () => {
      device.close()
      await ops.call(opsApi.withdrawAnnouncement, { id: announcement.id })
    },
  }
}

type Call = <E extends Endpoint>(spec: E, input: Input<E>) => Promise<Output<E>>

async function storeRole(deal: Dealer, call: Call) {
  const form = (field: 'create' | 'edit') => ({
    name: deal.text(`ram_role/${field} name`, RAM_ROLE.nameMax),
    note: deal.text(`ram_role/${field} note`, RAM_ROLE.noteMax),
    auth: { easylink: { router: {}, network: { number: null } }, monitor: {} },
  })
  const { id } = await call(ramRoleApi.create, form('create'))
  const edited = form('edit')
  await call(ramRoleApi.edit, { id, ...edited })
  return { role: edited.name, roleNote: edited.note }
}

/** The device sold as a SaaS device, in a group and a bandwidth pool. */
async function storeSaas(ops: Ops, deal: Dealer, { account, serial }: { account: string; serial: string }) {
  const pool = deal.text('ops pool/set name', SAAS.poolNameMax)
  await ops.call(opsApi.poolSet, { account, name: pool, max: 500 })
  const group = deal.text('ops saas/set group', SAAS.groupMax)
  const expired_time = Date.now() + 300 * DAY_MS
  const sold = { edition: 'shared', bandwidth: 50, max_bandwidth: 100, expired_time } as const
  await ops.call(opsApi.saasSet, { serial, group, pool, ...sold })
  return { pool, group }
}

/** A support ticket with a reply of each side, appraised. */
async function storeTicket(ops: Ops, deal: Dealer, call: Call) {
  const title = deal.text('ticket/create title', TICKET.titleMax)
  const written = { title, content: deal.all('ticket/create content').slice(0, TICKET.contentMax), type: 2 as const }
  const { ticket_number } = await call(ticketApi.create, written)
  const replied = deal.text('ticket/reply content', TICKET.replyMax)
  await call(ticketApi.reply, { ticket_number, content: replied })
  const answer = deal.text('ops ticket/reply content', TICKET.replyMax)
  const name = deal.text('ops ticket/reply name', 24)
  await ops.call(opsApi.replyTicket, { number: ticket_number, content: answer, name })
  const appraisal = deal.text('ticket/appraise content', TICKET.appraisalMax)
  await call(ticketApi.appraise, { ticket_number, grade: 1, content: appraisal })
  return { number: ticket_number, title, texts: [written.content, replied, answer, name, appraisal] }
}

/** For all hosts; it is withdrawn at the end. */
async function publish(ops: Ops, deal: Dealer) {
  const { id } = await ops.call(opsApi.publishAnnouncement, {
    title: deal.text('ops announcement/publish title', 80),
    tag: deal.text('ops announcement/publish tag', 12),
    content: deal.all('ops announcement/publish content'),
  })
  const title = deal.text('ops announcement/edit title', 80)
  const tag = deal.text('ops announcement/edit tag', 12)
  await ops.call(opsApi.editAnnouncement, { id, title, tag, content: deal.all('ops announcement/edit content') })
  return { id, title }
}
