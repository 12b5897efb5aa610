/** IPv4 arithmetic that forms, rules, compiler and agent share. A segment is `a.b.c.d/n`. */

export function ipText(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
}

/** 32-bit number of a dotted IPv4, or null. Leading zeros are refused: some readers take them for octal. */
export function ipNumber(text: string): number | null {
  const parts = text.split('.')
  if (parts.length !== 4) return null
  let value = 0
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return null
    value = value * 256 + Number(part)
  }
  return value
}

const FIRST_OCTET = 2 ** 24

/** An IPv4 address whose first octet is not 0 (network 5). */
export function isAddress(text: string): boolean {
  const value = ipNumber(text)
  return value !== null && value >= FIRST_OCTET
}

const LOOPBACK = 127
const MULTICAST_FIRST = 224

/** The same of an address that a host or a segment may have: no loopback, multicast or reserved one. */
export const isUnicast = (text: string): boolean => {
  const first = Math.floor((ipNumber(text) ?? 0) / FIRST_OCTET)
  return first > 0 && first < MULTICAST_FIRST && first !== LOOPBACK
}

/** How many addresses a mask of that length covers. */
export const sizeOfMask = (mask: number): number => 2 ** (32 - mask)

/** The network number at or below an address: 10.1.2.3 of mask 16 → 10.1.0.0. Text that is no address stays. */
export function alignAddress(ip: string, mask: number): string {
  const value = ipNumber(ip)
  const size = sizeOfMask(mask)
  return value === null ? ip : ipText(Math.floor(value / size) * size)
}

/** Whether an address is a proper network number for the mask (网段格式设置错误 where it is not). */
export const isAligned = (ip: string, mask: number): boolean => alignAddress(ip, mask) === ip
