import { SITES, PROBE_PORT } from '#infra/lab/bed/sites.ts'
import { startCapture } from '#infra/lab/packets/capture.ts'
import { poll } from '#infra/lab/poll.ts'
import { untilReached } from './basis.ts'
import { type Check, requireThat } from './check.ts'

/* Checks of ports and addresses: where a centre is dialled. */

const UDP = 17
const KEPT_ALIVE_MS = 20_000

const DIALLED_AT_SEEN: Check = {
  number: 8,
  title: 'a centre without a fixed port is dialled at the address that the service saw',
  needs: 'linux',
  async run({ bed, folder }) {
    await untilReached(bed, 'C', 'B')
    const seen = new Set<string>()
    await poll(
      'packets of C and D to B',
      KEPT_ALIVE_MS,
      async () => {
        const capture = await startCapture(bed, folder, { filter: ['udp', 'and', 'dst', 'host', SITES.B.address] })
        await untilReached(bed, 'C', 'B')
        await untilReached(bed, 'D', 'B')
        for (const { source, protocol, destinationPort } of await capture.stop())
          if (protocol === UDP && destinationPort !== PROBE_PORT) seen.add(source)
        return [...seen]
      },
      () => [SITES.C.address, SITES.D.address].every((address) => seen.has(address)),
    )
    requireThat(!seen.has(SITES.X.address), 'a router of another customer dials it')
  },
}

export const PORTS: readonly Check[] = [DIALLED_AT_SEEN]
