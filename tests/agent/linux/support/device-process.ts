import { createInterface } from 'node:readline'
import { openLinuxDevice } from '#infra/agent/drivers/linux/linux-device.ts'
import { openPopDevice } from '#infra/agent/drivers/linux/pop/pop-device.ts'
import { type LinkEnd, Prober } from '#infra/agent/probe/prober.ts'
import { deviceAnswers } from '#infra/agent/drivers/linux/questions/device-answers.ts'
import { CLIENT_ERRORS } from '#contract/client/errors.ts'
import { deviceQuestion } from '#contract/device/questions.ts'
import type { Dial } from '#infra/agent/reports/dial-reporter.ts'
import { systemClock } from '#infra/agent/clock.ts'
import { folderStore } from '#infra/agent/store.ts'
import { routerDocument } from '#contract/device/document.ts'
import type { DialCause } from './bed.ts'

/* The driver in a process of its own, for tests: one JSON command a line, one JSON answer a line. */

const PROBE_PORT = 40_000
const [state = '', run = '', kind = ''] = process.argv.slice(2)
/** Cause of a refusal by the secret that is presented, `renewed` for one of OpenVPN's own; others are allowed. */
let refusals: Readonly<Record<string, DialCause>> = {}
/** Profile of a secret that is allowed. */
let profiles: Readonly<Record<string, number>> = {}
const asked: unknown[] = []
const prober = await Prober.open(PROBE_PORT, { clock: systemClock, intervalMs: 500 })
const device = await (kind === 'node' ? openPopDevice : openLinuxDevice)({
  state,
  run,
  wan: ['wan0'],
  lan: kind === 'node' ? [] : ['lan0'],
  probePort: PROBE_PORT,
  prober,
  store: await folderStore(state),
  clock: systemClock,
  log: (line) => console.error(line),
  async authorizeDial(request) {
    asked.push(request)
    const cause = refusals[request.renewed ? 'renewed' : request.secret]
    if (cause !== undefined) return { ok: false, reason: CLIENT_ERRORS[cause].msg, cause }
    return { ok: true, reason: '', profile: profiles[request.secret] ?? null, credential_version: 0 }
  },
})

const answers = deviceAnswers(device, () => undefined)
const openvpns = () => device.parts().map((part) => part.openvpn)
const dials = new Map<string, Dial>()
device.dials.start((...reported) => reported.forEach((dial) => dials.set(dial.key, dial)))

const COMMANDS: Readonly<Record<string, (argument: unknown) => Promise<unknown>>> = {
  async apply(body) {
    const staged = await device.driver.stage(body === null ? null : routerDocument.parse(body))
    await staged.apply()
    return staged.changed
  },
  async refusals(body) {
    const applied = await (await device.driver.stage(routerDocument.parse(body))).apply()
    return applied ? applied.refused : null
  },
  ask: (question) => answers(deviceQuestion.parse(question)),
  /** Probes links, and answers probes of links. */
  watch: async (ends) => prober.watch(state, ends as LinkEnd[], () => {}),
  reports: async () => prober.reports(state),
  place: async (number) => device.placeOf(String(number)),
  validate: (body) => device.driver.validate(routerDocument.parse(body)),
  async tunnel(name) {
    const tunnel = openvpns().flatMap((openvpn) => openvpn.tunnel(String(name)) ?? [])[0]
    return tunnel && { isUp: tunnel.isUp, clients: [...tunnel.clients().keys()] }
  },
  async hasRevoked(args) {
    const [name, client] = args as [string, string]
    return openvpns().some((openvpn) => openvpn.tunnel(name)?.hasRevoked(client))
  },
  async peer(name) {
    return openvpns().flatMap((openvpn) => openvpn.tunnel(String(name)) ?? [])[0]?.peer ?? null
  },
  async refuse(causes) {
    refusals = causes as typeof refusals
  },
  async admitAs(numbers) {
    profiles = numbers as typeof profiles
  },
  asked: async () => asked,
  dials: async () => [...dials.values()],
  refreshDials: () => Promise.all(openvpns().map((openvpn) => openvpn.refreshSessions())),
  endDial: async (args) => device.dials.end(...(args as [string, string, boolean, number | null])),
  async disconnect(named) {
    const [network, name] = named as [string, string]
    const ended = await Promise.all(openvpns().map((openvpn) => openvpn.disconnect(network, name)))
    return ended.includes(true)
  },
  exhausted: async () => Object.fromEntries(openvpns().flatMap((openvpn) => [...openvpn.exhausted()])),
  linkCounters: () => device.readLinkCounters(),
  reset: (network) => Promise.all(openvpns().map((openvpn) => openvpn.reset(String(network)))),
}

for await (const line of createInterface({ input: process.stdin })) {
  const [name, argument] = JSON.parse(line) as [string, unknown]
  const answer = await COMMANDS[name]?.(argument).then(
    (value) => ({ value: value ?? null }),
    (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
  )
  console.log(JSON.stringify(answer))
}
device.close()
prober.close()
