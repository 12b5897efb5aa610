import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const ADDRESSES_MAX = 20_000

/** Host names of addresses, from the log of the device's dnsmasq (`log-queries`): the requested name, not its aliases. */
export class DnsNames {
  private readonly byAddress = new Map<string, string>()
  /** First name of the chain of aliases that is being answered. */
  private asked: string | null = null

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

/** Reads the log as it grows, also after a rotation; returns the function that stops it. */
export function followDnsLog(file: string, names: DnsNames): () => void {
  const child = spawn('tail', ['-n', '10000', '-F', file], { stdio: ['ignore', 'pipe', 'ignore'] })
  child.on('error', () => {}) // without the log, ports name the applications
  createInterface({ input: child.stdout }).on('line', (line) => names.add(line))
  return () => void child.kill()
}
