import type { Fake } from './arrivals.ts'

/** Every server of the internet at once: `/host/path` of a customer's URL. Answers by mode, keeps what came with its headers. */
export const internet: Fake = (request, arrivals) => {
  const [, host = '', path = '/'] = /^\/([^/]+)(\/.*)?$/.exec(request.path) ?? []
  const mode = arrivals.mode('internet')
  const kept = Object.entries(request.headers).filter(([name]) => name.startsWith('webhook-'))
  const to = `https://${host}${path}`
  arrivals.add({ at: 'internet', to, text: request.body, detail: Object.fromEntries(kept), answer: mode })
  if (mode === 'timeout') return { hang: true }
  if (mode === 'close') return { close: true }
  if (mode === 'redirect') return { status: 302, headers: { location: 'http://127.0.0.1/' } }
  if (mode === 'busy') return { status: 429, body: 'slow down', headers: { 'retry-after': '120' } }
  if (mode === 'gone') return { status: 410, body: 'gone' }
  if (mode === 'http500') return { status: 500, body: 'internal error' }
  return { body: { received: true } }
}
