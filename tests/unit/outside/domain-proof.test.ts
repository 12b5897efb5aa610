import { describe, expect, it } from 'vitest'
import { createDomainProof } from '#outside/domain-proof.ts'
import { createOutbound } from '#outside/outbound.ts'

const PROOF = { domain: 'acme.com', fileName: 'netloom-1.txt', token: 'the-token' }
const HTTPS = 'https://acme.com/netloom-1.txt'
const HTTP = 'http://acme.com/netloom-1.txt'
const WWW = 'https://www.acme.com/netloom-1.txt'

type Page = () => Response
const page =
  (text: string, status = 200): Page =>
  () =>
    new Response(text, { status })
const redirect =
  (location: string | null, status = 301): Page =>
  () =>
    new Response(null, { status, headers: location === null ? {} : { location } })
const RIGHT = page('the-token')

interface Internet {
  readonly pages?: Readonly<Record<string, Page>>
  readonly texts?: readonly { readonly type: number; readonly data: string }[]
  /** Of names that are not public. */
  readonly addresses?: Readonly<Record<string, string>>
}

/** Runs the proof on this internet: returns its result and the requested pages. */
async function prove({ pages = {}, texts = [], addresses = {} }: Internet, proof = PROOF) {
  const asked: string[] = []
  const answerName = (query: URLSearchParams) => {
    const [name = '', type] = [query.get('name') ?? '', query.get('type')]
    if (type === 'TXT') return { Status: 0, Answer: name === proof.domain ? texts : [] }
    return { Status: 0, ...(type === 'A' && { Answer: [{ type: 1, data: addresses[name] ?? '1.1.1.1' }] }) }
  }
  const outbound = createOutbound(
    { ENVIRONMENT: 'production' },
    {
      fetch: async (text, init) => {
        const url = new URL(text)
        expect(init.redirect).toBe('manual')
        if (url.hostname === 'cloudflare-dns.com') return Response.json(answerName(url.searchParams))
        asked.push(text)
        return (pages[text] ?? page('missing', 404))()
      },
    },
  )
  return { isProved: await createDomainProof(outbound).isProved(proof), asked }
}

describe('the file', () => {
  it.each<[string, Record<string, Page>, string[]]>([
    ['by https', { [HTTPS]: RIGHT }, [HTTPS]],
    ['with blanks around the token', { [HTTPS]: page(' the-token\r\n') }, [HTTPS]],
    ['by http, where https has none', { [HTTP]: RIGHT }, [HTTPS, HTTP]],
    ['by http, where https cannot be reached', { [HTTPS]: () => Response.error(), [HTTP]: RIGHT }, [HTTPS, HTTP]],
    ['from the www of the domain', { [HTTPS]: redirect(WWW), [WWW]: RIGHT }, [HTTPS, WWW]],
    [
      'from a relative address',
      { [HTTPS]: redirect('/t.txt', 308), 'https://acme.com/t.txt': RIGHT },
      [HTTPS, 'https://acme.com/t.txt'],
    ],
    ['from http to https', { [HTTPS]: page('', 500), [HTTP]: redirect(WWW), [WWW]: RIGHT }, [HTTPS, HTTP, WWW]],
    ['of 4 KiB', { [HTTPS]: page(`the-token${' '.repeat(4_087)}`) }, [HTTPS]],
  ])('counts %s', async (_, pages, asked) => {
    expect(await prove({ pages })).toEqual({ isProved: true, asked })
  })

  it('counts from the domain, where its www was named', async () => {
    const www = { ...PROOF, domain: 'www.acme.com' }
    expect((await prove({ pages: { [WWW]: redirect(HTTPS), [HTTPS]: RIGHT } }, www)).isProved).toBe(true)
  })

  it('counts after three redirects and not after four', async () => {
    const hops = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [n === 0 ? HTTPS : `${HTTPS}?${n}`, redirect(`?${n + 1}`)]),
      )
    expect((await prove({ pages: { ...hops(3), [`${HTTPS}?3`]: RIGHT } })).isProved).toBe(true)
    const far = await prove({ pages: { ...hops(4), [`${HTTPS}?4`]: RIGHT } })
    expect(far).toEqual({ isProved: false, asked: [HTTPS, `${HTTPS}?1`, `${HTTPS}?2`, `${HTTPS}?3`, HTTP] })
  })

  it.each<[string, Page]>([
    ['another domain', redirect('https://evil.com/netloom-1.txt')],
    ['another name of the domain', redirect('https://files.acme.com/netloom-1.txt')],
    ['a name that ends like the domain', redirect('https://evilacme.com/netloom-1.txt')],
    ['another port', redirect('https://acme.com:8443/netloom-1.txt')],
    ['a user', redirect('https://u:p@acme.com/netloom-1.txt')],
    ['another protocol', redirect('ftp://acme.com/netloom-1.txt')],
    ['no address', redirect(null)],
  ])('a redirect to %s is not followed', async (_, to) => {
    expect(await prove({ pages: { [HTTPS]: to } })).toEqual({ isProved: false, asked: [HTTPS, HTTP] })
  })

  it.each<[string, Page]>([
    ['of another token', page('another')],
    ['with more beside the token', page('the-token and more')],
    ['of an error', page('the-token', 404)],
    ['longer than 4 KiB', page(`the-token${' '.repeat(4_088)}`)],
    ['that is empty', page('')],
  ])('a file %s does not count', async (_, file) => {
    expect(await prove({ pages: { [HTTPS]: file } })).toEqual({ isProved: false, asked: [HTTPS, HTTP] })
  })

  it('is not asked for at a private address, at first or after a redirect', async () => {
    const pages = { [HTTPS]: redirect(WWW), [HTTP]: redirect(WWW), [WWW]: RIGHT }
    expect(await prove({ pages, addresses: { 'acme.com': '10.0.0.1' } })).toEqual({ isProved: false, asked: [] })
    const far = await prove({ pages, addresses: { 'www.acme.com': '127.0.0.1' } })
    expect(far).toEqual({ isProved: false, asked: [HTTPS, HTTP] })
  })

  it.each(['localhost', '127.0.0.1', 'printer.local'])('of %s is not asked for', async (domain) => {
    const texts = [{ type: 16, data: '"the-token"' }]
    expect(await prove({ texts }, { ...PROOF, domain })).toEqual({ isProved: false, asked: [] })
  })
})

describe('a TXT record', () => {
  it.each<[boolean, string, { type: number; data: string }[]]>([
    [true, 'of the token', [{ type: 16, data: '"the-token"' }]],
    [
      true,
      'of the token beside others',
      [
        { type: 16, data: '"v=spf1 -all"' },
        { type: 16, data: '"the-token"' },
      ],
    ],
    [false, 'of another token', [{ type: 16, data: '"another"' }]],
    [false, 'that holds the token among other words', [{ type: 16, data: '"x the-token"' }]],
    [false, 'of another type', [{ type: 5, data: 'the-token' }]],
    [false, 'that is missing', []],
  ])('%s: %s', async (isProved, _, texts) => {
    expect(await prove({ texts })).toEqual({ isProved, asked: [HTTPS, HTTP] })
  })
})
