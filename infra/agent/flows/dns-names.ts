import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const ADDRESSES_MAX = 20_000

/** Names of addresses, as the device's dnsmasq has answered them (`log-queries`); the name that was asked for, not what it was led to. */
export class DnsNames {
  private readonly byAddress = new Map<string, string>()
  /** The name at the start of the chain of aliases that is being answered. */
  private asked: string | null = null

  /** Adds a line of the DNS log. */
  add(line: string): void {
    const [, name = '', value = ''] = /(?:reply|cached) (\S+) is (\S+)/.exec(line) ?? []
    if (name === '') return
    if (value === '<CNAME>') {
      this.asked ??= name
      return
    }
    if (!/^[\d.]+$|:/.test(value)) return
    this.byAddress.delete(value)
    this.byAddress.set(value, this.asked ?? name)
    this.asked = null
    const [oldest] = this.byAddress.keys()
    if (this.byAddress.size > ADDRESSES_MAX && oldest !== undefined) this.byAddress.delete(oldest)
  }

  of(address: string): string | null {
    return this.byAddress.get(address) ?? null
  }
}

/** Reads the log as it grows, also where it is rotated; returns what ends that. */
export function followDnsLog(file: string, names: DnsNames): () => void {
  const child = spawn('tail', ['-n', '10000', '-F', file], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.on('error', () => {}) // without it, ports name the applications
  createInterface({ input: child.stdout }).on('line', (line) => names.add(line))
  return () => void child.kill()
}
