import type { Page } from 'playwright-core'
import { SERVICES } from '#infra/agent/flows/services.ts'

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

/** Words that a Chinese reader knows in Latin letters: units, protocols, keys, products. */
const KNOWN = new Set([
  ...wordsOf(`page not found
    ms s min h d kb mb gb tb kib mib gib bit kbps mbps gbps mbs bps
    ip ipv lan wan mac vpn sd pop p url dns dhcp static pppoe nat bgp ospf bfd rip arp icmp ping tcp udp http https ssh tls ssl ca md sha aes gcm cbc eth mtu ge le
    ldap ldaps starttls ad openldap dc ou cn uid base dn cert crt cer pem
    windows macos android ios linux harmony os centos ubuntu debian openvpn wireguard
    webhook appsecret appkey appid corpid agentid id totp api csv xlsx pdf qr sn saas netloom`),
  ...Object.keys(SERVICES).flatMap(wordsOf),
])

/** Texts, labels and hints of a page as people meet them; what is code or a name (`translate="no"`) is none of ours. */
const collectTexts = () => {
  const texts = new Set<string>()
  const isQuoted = (element: Element | null) =>
    element?.closest('code, pre, kbd, script, style, [translate="no"]') !== null
  for (const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walker.nextNode();) {
    const { parentElement: parent, textContent } = walker.currentNode
    if (parent?.checkVisibility() && !isQuoted(parent)) texts.add((textContent ?? '').trim())
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], img[alt]'))
    for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
      if (!isQuoted(element)) texts.add((element.getAttribute(name) ?? '').trim())
  texts.add(document.title)
  return [...texts]
}

/** A name, an address, a version, a date: what has a digit or a sign inside is data. */
const isData = (text: string): boolean => /\d|[@/:_.#=*]|\w-\w/.test(text)
/** Latin words alone, or three in a row within Chinese. */
const isForeign = (text: string): boolean => {
  const passages = /\p{Script=Han}/u.test(text)
    ? (text.match(/[A-Za-z]+(?: [A-Za-z]+){2,}/g) ?? [])
    : isData(text)
      ? []
      : [text]
  return passages.some((passage) => wordsOf(passage).some((word) => !KNOWN.has(word)))
}

/** Texts of the page that are in another language than Chinese. */
export const findForeign = async (page: Page): Promise<string[]> =>
  (await page.evaluate(collectTexts)).filter(isForeign).map((text) => `not in Chinese: ${text}`)
