import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import { NO_TARGET, type Target } from '#infra/agent/drivers/render/target.ts'
import { CASES } from './tunnel-documents.ts'

export const TARGET: Target = {
  ...NO_TARGET,
  wan: ['wan0'],
  lan: ['lan0', 'lan1'],
  probePort: 40_000,
}

/** Files of a case of tunnel-documents.ts, on a device that carried nothing before. */
export function renderCase(name: string): ReadonlyMap<string, string> {
  const document = CASES[name]
  if (!document) throw new Error(`no case ${name}`)
  return renderDocument(document, assignSlots(document, NO_SLOTS), TARGET)
}
