import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { routerDocument } from '#contract/device/document.ts'
import { checkMachine } from '#infra/agent/drivers/linux/check/check-machine.ts'
import { dnsmasqTool } from '#infra/agent/drivers/linux/dnsmasq/dnsmasq-tool.ts'
import { frrTool } from '#infra/agent/drivers/linux/frr/frr-tool.ts'
import { ipTool } from '#infra/agent/drivers/linux/ip/ip-tool.ts'
import { nftTool } from '#infra/agent/drivers/linux/nft/nft-tool.ts'
import { ProcessTable } from '#infra/agent/drivers/linux/processes/process-table.ts'
import { tcTool } from '#infra/agent/drivers/linux/tc/tc-tool.ts'
import { PHASES, type Rendering, type Step, type Tool } from '#infra/agent/drivers/linux/tool.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import { NO_TARGET, type Target } from '#infra/agent/drivers/render/target.ts'

/* Runs tools of the driver in the network namespace of this process, as questions on the standard input ask for. */

const [folder = ''] = process.argv.slice(2)
const run = join(folder, 'run')
await mkdir(run, { recursive: true })
await chmod(folder, 0o711)
await chmod(run, 0o711)
const processes = await ProcessTable.open(join(folder, 'processes.json'), console.error)
const options = { run, processes, log: console.error }
const frr = frrTool(options)
// oxlint-disable-next-line typescript/no-explicit-any -- tools of several types in one table
const tools: Readonly<Record<string, Tool<any, any, any>>> = {
  nft: nftTool(),
  ip: ipTool(join(folder, 'sysctls.json')),
  frr,
  dnsmasq: dnsmasqTool(options),
  tc: tcTool(),
}

interface Question {
  readonly document?: unknown
  readonly tools?: readonly string[]
  readonly target?: Partial<Target>
  readonly peers?: boolean
  readonly chosen?: boolean
  readonly clear?: readonly string[]
  readonly check?: boolean
}

let slots = NO_SLOTS

function render(body: unknown, over: Partial<Target>): Rendering | null {
  if (body === null) return null
  const document = routerDocument.parse(body)
  const target = { ...NO_TARGET, lan: ['lan0'], wan: ['wan0'], ...over }
  slots = assignSlots(document, slots)
  return { document, slots, target, files: renderDocument(document, slots, target) }
}

async function apply({ document, tools: names = [], target = {} }: Question) {
  const rendering = render(document, target)
  const parts = names.map((name) => ({ name, tool: tools[name]!, wanted: tools[name]!.wanted(rendering) }))
  for (const { tool, wanted } of parts) {
    const failure = await tool.validate(wanted)
    if (failure) return { failure }
  }
  const steps = []
  for (const { name, tool, wanted } of parts) {
    for (const step of tool.plan(await tool.observe(), wanted) as Step[]) steps.push({ name, tool, wanted, step })
  }
  steps.sort((a, b) => PHASES.indexOf(a.step.phase) - PHASES.indexOf(b.step.phase))
  for (const { tool, step, wanted } of steps) await tool.run(step, wanted)
  const unsettled = []
  for (const { name, tool, wanted } of parts) {
    if (tool.plan(await tool.observe(), wanted).length > 0) unsettled.push(name)
  }
  return {
    steps: steps.map(({ name, step }) => ({ tool: name, phase: step.phase, networks: step.networks })),
    unsettled,
  }
}

async function answer(question: Question): Promise<unknown> {
  if (question.document !== undefined) return apply(question)
  if (question.peers) return { peers: [...(await frr.establishedPeers())] }
  if (question.chosen) return { chosen: await frr.chosenRoutes() }
  if (question.clear) return (await frr.clearSessions(question.clear), {})
  if (question.check) return { problems: await checkMachine(false) }
  return { pids: Object.fromEntries([...processes.running()].map(([name, { pid }]) => [name, pid])) }
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await answer(JSON.parse(line) as Question).catch((error: unknown) => ({ error: String(error) }))
  console.log(JSON.stringify(reply))
}
