import { STREAM } from '#contract/kernel/hub-limits.ts'
import type { RatePoint } from '#contract/kernel/protocol.ts'
import { Throttle } from '#durable/async.ts'
import type { ViewerBody } from '#durable/viewers.ts'

type Rates = Readonly<Record<string, RatePoint>>

/**
 * Live samples as frames. A send costs the same whatever its size, so beyond `crowdViewers` one frame carries the samples of
 * `crowdGapMs`: the newest in `data`, those before it in `earlier`.
 */
export class SampleFrames {
  private held: Rates[] = []
  private readonly broadcast: (frame: ViewerBody) => void
  private readonly throttle = new Throttle(() => this.flush(), STREAM.crowdGapMs)

  constructor(broadcast: (frame: ViewerBody) => void) {
    this.broadcast = broadcast
  }

  add(rates: Rates, viewers: number): void {
    this.held.push(rates)
    if (viewers > STREAM.crowdViewers) this.throttle.trigger()
    else this.flush()
  }

  private flush(): void {
    const earlier = this.held
    const data = earlier.pop()
    this.held = []
    if (data) this.broadcast({ type: 'interface', data, ...(earlier.length > 0 && { earlier }) })
  }
}
