import type { RouterDocument } from '#contract/device/document.ts'
import { renderDocument } from '#infra/agent/drivers/render/render.ts'
import { NO_SLOTS, type Slots, assignSlots } from '#infra/agent/drivers/render/slots.ts'
import type { Rendering } from '#infra/agent/drivers/linux/tool.ts'
import { TARGET } from '#tests/agent/support/render-case.ts'

export function renderingOf(document: RouterDocument, before: Slots = NO_SLOTS): Rendering {
  const slots = assignSlots(document, before)
  return { document, slots, target: TARGET, files: renderDocument(document, slots, TARGET) }
}

const PEM = (label: string, text: string) =>
  `-----BEGIN ${label}-----\n${Buffer.from(text).toString('base64')}\n-----END ${label}-----\n`

/** A document with keys of the form that the hub sends, which nothing verifies. */
export function withKeys(
  document: RouterDocument,
  over: Partial<Record<'ca' | 'certificate' | 'revoked', string>> = {},
) {
  const { ca = 'ca', certificate = 'certificate', revoked = 'revoked' } = over
  const id = 'ab'.repeat(16)
  return {
    ...document,
    authorities: [{ id, ca: PEM('CERTIFICATE', ca), certificate: PEM('CERTIFICATE', certificate) }],
    networks: document.networks.map((network) => ({
      ...network,
      authority: id,
      control_key: '5a'.repeat(256),
      revoked: PEM('X509 CRL', revoked),
    })),
  } satisfies RouterDocument
}
