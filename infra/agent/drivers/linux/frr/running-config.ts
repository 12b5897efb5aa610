/* Parses a BGP configuration: the answer of bgpd to `show running-config`, and the rendered file of a document. */

/** Configuration of bgpd by the parts that can be changed alone. Lines have no indent; their order in a part has no effect. */
export interface BgpConfig {
  /** Lines outside of all blocks, such as those of the route map timer. */
  readonly globals: readonly string[]
  /** Entries of prefix lists, AS path lists and community lists, by list and number. */
  readonly lists: ReadonlyMap<string, string>
  /** Entries of route maps, by map and number. */
  readonly maps: ReadonlyMap<string, MapEntry>
  readonly router: BgpRouter | null
}

export interface MapEntry {
  readonly name: string
  readonly action: string
  readonly seq: number
  readonly lines: readonly string[]
}

export interface BgpRouter {
  readonly asn: number
  readonly lines: readonly string[]
  /** Lines of the IPv4 unicast family that name no neighbour. */
  readonly family: readonly string[]
  readonly neighbors: ReadonlyMap<string, Neighbor>
}

export interface Neighbor {
  /** `remote-as`, by which a neighbour is made. */
  readonly asn: string
  readonly lines: readonly string[]
  readonly family: readonly string[]
}

export const EMPTY_CONFIG: BgpConfig = { globals: [], lists: new Map(), maps: new Map(), router: null }

const LIST = /^((?:ip prefix-list|bgp as-path access-list|bgp community-list \w+) \S+ seq \d+) /
const MAP = /^route-map (\S+) (permit|deny) (\d+)$/
const ROUTER = /^router bgp (\d+)$/
const FAMILY = 'address-family ipv4 unicast'
const NEIGHBOR = /^neighbor (\S+) (.+)$/
const REMOTE = /^remote-as (\S+)$/
/** Lines that a configuration of this driver may have outside of blocks; others are of the daemon, such as its log file. */
const GLOBAL = /^bgp route-map delay-timer /

interface MutableNeighbor {
  asn: string
  lines: string[]
  family: string[]
}

/** Reads a configuration line by line; a block ends at `exit` or at the next block. */
class Reader {
  private readonly globals: string[] = []
  private readonly lists = new Map<string, string>()
  private readonly maps = new Map<string, MapEntry & { lines: string[] }>()
  private router: { asn: number; lines: string[]; family: string[]; neighbors: Map<string, MutableNeighbor> } | null =
    null
  private block: 'map' | 'router' | 'family' | null = null
  private mapKey = ''

  read(line: string): void {
    if (line === '' || line.startsWith('!')) return
    if (line === 'exit' || line === 'exit-address-family') {
      this.block = this.block === 'family' ? 'router' : null
      return
    }
    if (this.openBlock(line)) return
    if (this.block === 'map') this.maps.get(this.mapKey)?.lines.push(line)
    else if (this.block !== null) this.readRouter(line, this.block)
    else this.readGlobal(line)
  }

  private openBlock(line: string): boolean {
    const [, name, action, seq] = MAP.exec(line) ?? []
    const [, asn] = ROUTER.exec(line) ?? []
    if (name !== undefined && action !== undefined) {
      this.mapKey = `${name} ${seq}`
      this.maps.set(this.mapKey, { name, action, seq: Number(seq), lines: [] })
      this.block = 'map'
    } else if (asn !== undefined) {
      this.router = { asn: Number(asn), lines: [], family: [], neighbors: new Map() }
      this.block = 'router'
    } else if (line === FAMILY && this.block === 'router') this.block = 'family'
    else return false
    return true
  }

  private readRouter(line: string, block: 'router' | 'family'): void {
    if (!this.router) return
    const [, address = '', rest = ''] = NEIGHBOR.exec(line) ?? []
    if (address === '') {
      this.router[block === 'family' ? 'family' : 'lines'].push(line)
      return
    }
    const [, asn] = REMOTE.exec(rest) ?? []
    const neighbor = this.router.neighbors.get(address) ?? { asn: '', lines: [], family: [] }
    this.router.neighbors.set(address, neighbor)
    if (asn !== undefined) neighbor.asn = asn
    else neighbor[block === 'family' ? 'family' : 'lines'].push(rest)
  }

  private readGlobal(line: string): void {
    const [, key] = LIST.exec(line) ?? []
    if (key !== undefined) this.lists.set(key, line)
    else if (GLOBAL.test(line)) this.globals.push(line)
  }

  result(): BgpConfig {
    const { router } = this
    const maps = [...this.maps].map(([key, entry]) => [key, { ...entry, lines: entry.lines.toSorted() }] as const)
    return {
      globals: this.globals.toSorted(),
      lists: sorted(this.lists),
      maps: sorted(new Map(maps)),
      router: router && {
        asn: router.asn,
        lines: router.lines.toSorted(),
        family: router.family.toSorted(),
        neighbors: sorted(
          new Map(
            [...router.neighbors].map(
              ([address, { asn, lines, family }]) =>
                [address, { asn, lines: lines.toSorted(), family: family.toSorted() }] as const,
            ),
          ),
        ),
      },
    }
  }
}

const sorted = <T>(map: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)))

export function parseBgpConfig(text: string): BgpConfig {
  const reader = new Reader()
  for (const line of text.split('\n')) reader.read(line.trim())
  return reader.result()
}
