/** Spellings of private addresses as hosts of a URL: missed by naive filters, accepted by resolvers. */

const PRIVATE_IPV4 = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254', // metadata of most clouds
  '100.100.100.200', // metadata of Aliyun
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
] as const

const spellings: Readonly<Record<string, (bytes: readonly number[]) => string>> = {
  dotted: (bytes) => bytes.join('.'),
  'trailing dot': (bytes) => `${bytes.join('.')}.`,
  decimal: (bytes) => String(toNumber(bytes)),
  hex: (bytes) => `0x${toNumber(bytes).toString(16)}`,
  'hex, upper case': (bytes) => `0X${toNumber(bytes).toString(16).toUpperCase()}`,
  octal: (bytes) => `0${toNumber(bytes).toString(8)}`,
  'dotted hex': (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  'dotted octal': (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  'mixed bases': ([a = 0, b = 0, c = 0, d = 0]) => `0x${a.toString(16)}.0${b.toString(8)}.${c}.${d}`,
  'three parts': ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
  'two parts': ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${(b * 256 + c) * 256 + d}`,
  'leading zeros': (bytes) => bytes.map((byte) => byte.toString(8).padStart(5, '0')).join('.'),
  'full-width digits': (bytes) =>
    bytes.join('.').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  'ideographic dots': (bytes) => bytes.join('。'),
  'percent-encoded': (bytes) =>
    [...bytes.join('.')].map((character) => `%${character.charCodeAt(0).toString(16)}`).join(''),
  mapped: (bytes) => `[::ffff:${bytes.join('.')}]`,
  'mapped, hex': (bytes) => `[::ffff:${hexGroups(bytes)}]`,
  'mapped, in full': (bytes) => `[0:0:0:0:0:ffff:${hexGroups(bytes)}]`,
  compatible: (bytes) => `[::${bytes.join('.')}]`,
  translated: (bytes) => `[::ffff:0:${hexGroups(bytes)}]`,
  NAT64: (bytes) => `[64:ff9b::${bytes.join('.')}]`,
  'local NAT64': (bytes) => `[64:ff9b:1::${hexGroups(bytes)}]`,
  '6to4': (bytes) => `[2002:${hexGroups(bytes)}::1]`,
  Teredo: (bytes) => `[2001:0:4136:e378:8000:63bf:${hexGroups(bytes.map((byte) => byte ^ 255))}]`,
  ISATAP: (bytes) => `[fe80::5efe:${bytes.join('.')}]`,
}

/** Each way to write an IPv4 address as the host of a URL, with the name of the trick. */
export const spellAddress = (ip: string): readonly (readonly [trick: string, host: string])[] =>
  Object.entries(spellings).map(([trick, spell]) => [trick, spell(ip.split('.').map(Number))])

const toNumber = (bytes: readonly number[]) => bytes.reduce((value, byte) => value * 256 + byte, 0)
const hexGroups = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]) =>
  `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`

const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost.localdomain',
  'a.localhost',
  'ⓛocalhost',
  'printer.local',
  'nas.lan',
  'vault.internal',
  'metadata.google.internal',
  'git.corp',
  'wiki.intranet',
  'router.home',
  'router.home.arpa',
  '1.0.0.127.in-addr.arpa',
  'hidden.onion',
  'intranet',
  'metadata',
  'example.com.',
  'example.com..',
  '.example.com',
  'a..example.com',
  '-a.example.com',
  'a-.example.com',
  'example.c0m',
  'example.123',
  '8.8.8.8', // public, but an address has no name that a certificate could prove
  '[2606:4700::1111]',
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[fec0::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
] as const

/** Hosts of URLs, each with the name of its trick. */
export const SSRF_HOSTS: readonly (readonly [trick: string, host: string])[] = [
  ...PRIVATE_IPV4.flatMap((ip) => spellAddress(ip).map(([trick, host]) => [`${ip} ${trick}`, host] as const)),
  ...NAMES.map((host) => [host, host] as const),
]

/** Whole URLs that are no https URL of a public host, however they are read. */
export const SSRF_URLS: readonly string[] = [
  '',
  ' ',
  'example.com/x',
  '//example.com/x',
  'http://example.com/x',
  'HTTP://example.com/x',
  'ftp://example.com/x',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:text/plain,x',
  'javascript:alert(1)',
  'blob:https://example.com/x',
  'ws://example.com',
  'https:\\\\127.0.0.1\\x',
  'https:/\\127.0.0.1',
  'https://example.com\\@127.0.0.1/',
  'https://user@example.com/',
  'https://user:pass@example.com/',
  'https://example.com@127.0.0.1/',
  'https://127.0.0.1#@example.com/',
  'https://127.0.0.1?@example.com/',
  'https://127.0.0.1:443@example.com/',
  'https://example.com:22/',
  'https://example.com:80/',
  'https://example.com:6379/',
  'https://example.com:0/',
  'https://example.com:99999/',
  'https://exa\tmple.com/',
  'https://example.com/\r\nHost: 127.0.0.1',
  'https://example.com/\u0000',
  'https://exam\u200Bple.com/',
  'https://example.com\u202E/',
  'https://[::1',
  'https://[fe80::1%25eth0]/',
  'https://127.0.0.1%2f@example.com',
  'https://',
  `https://example.com/${'a'.repeat(2100)}`,
]

/** Ten of the hosts, one of each class of trick, for the layers above the outbound call, which decides. */
export const SAMPLE_HOSTS: readonly (readonly [trick: string, host: string])[] = [
  ['127.0.0.1 dotted', '127.0.0.1'],
  ['127.0.0.1 trailing dot', '127.0.0.1.'],
  ['127.0.0.1 decimal', '2130706433'],
  ['127.0.0.1 dotted octal', '0177.00.00.01'],
  ['127.0.0.1 two parts', '127.1'],
  ['127.0.0.1 full-width digits', '１２７.０.０.１'],
  ['127.0.0.1 percent-encoded', '%31%32%37%2e%30%2e%30%2e%31'],
  ['127.0.0.1 mapped', '[::ffff:127.0.0.1]'],
  ['169.254.169.254 NAT64', '[64:ff9b::169.254.169.254]'],
  ['localhost.', 'localhost.'],
]

/** Ten URLs of the corpus, one of each class. */
export const SAMPLE_URLS: readonly (readonly [trick: string, url: string])[] = [
  ['an address', 'https://127.0.0.1/hook'],
  ['an address in another base', 'https://0x7f000001/hook'],
  ['an address in other characters', 'https://１２７.０.０.１/hook'],
  ['an address as IPv6', 'https://[::ffff:127.0.0.1]/hook'],
  ['a name of this machine', 'https://localhost./hook'],
  ['a scheme without TLS', 'http://example.com/x'],
  ['a port of another service', 'https://example.com:6379/'],
  ['credentials', 'https://example.com@127.0.0.1/'],
  ['a character that parsers convert', 'https://example.com\\@127.0.0.1/'],
  ['a line break', 'https://example.com/\r\nHost: 127.0.0.1'],
]

/** Non-public addresses that an attacker's public name may resolve to. */
export const PRIVATE_ADDRESSES: readonly string[] = [
  ...PRIVATE_IPV4,
  '192.0.0.8',
  '192.88.99.1',
  '198.51.100.7',
  '203.0.113.9',
  '240.0.0.1',
  '239.255.255.250',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::808:808',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2620:4f:8000::1',
  '3fff:1::1',
  '5f00::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  // not one canonical address at all
  '',
  ' 8.8.8.8',
  '8.8.8',
  '8.8.8.8.',
  '08.8.8.8',
  '8.8.8.256',
  '0x8.8.8.8',
  '134744072',
  '2606:4700',
  '2606:4700:::1',
  '2606::4700::1',
  '1:2:3:4:5:6:7:8:9',
  '[2606:4700::1]',
  'example.com',
]

/** Ten of them, one of each class. */
export const SAMPLE_ADDRESSES: readonly string[] = [
  '127.0.0.1',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '224.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  'fe80::1%eth0',
  '0x8.8.8.8', // not canonical
]

export const PUBLIC_ADDRESSES: readonly string[] = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2400:3200::1',
  '2001:200::1',
  '2A00:1450:4001:80B::200E',
  '2606:4700::1.1.1.1',
]
