import type { WebhookMessage } from '#contract/kernel/outside.ts'

/** Message of a test for webhooks whose content does not matter. */
export const SAMPLE_MESSAGE: WebhookMessage = {
  eventId: 'e',
  event: 'test',
  at: 0,
  title: 't',
  lines: [],
  data: {},
  sender: { brand: null, account: 'a' },
}
