import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ViewerBody } from '#durable/viewers.ts'
import { STREAM } from '#contract/kernel/hub-limits.ts'
import type { RatePoint } from '#contract/kernel/protocol.ts'
import { SampleFrames } from '#durable/router-hub/traffic/traffic-rates.ts'

const { crowdViewers, crowdGapMs } = STREAM
const CROWD = crowdViewers + 1

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const sample = (time: number): Record<string, RatePoint> => ({ eth0: { down: time, upload: 1, time } })

function createFrames() {
  const sent: ViewerBody[] = []
  return { frames: new SampleFrames((frame) => sent.push(frame)), sent }
}

describe('hubs.md, Browsers · live samples', () => {
  it('sends each sample at once where few watch', () => {
    const { frames, sent } = createFrames()
    frames.add(sample(1), crowdViewers)
    frames.add(sample(2), 1)
    expect(sent).toEqual([
      { type: 'interface', data: sample(1) },
      { type: 'interface', data: sample(2) },
    ])
  })

  it('sends the samples of two seconds in one frame to a crowd, oldest first, and none twice', () => {
    const { frames, sent } = createFrames()
    for (const time of [1, 2, 3]) frames.add(sample(time), CROWD)
    vi.advanceTimersByTime(crowdGapMs)
    frames.add(sample(4), CROWD)
    vi.advanceTimersByTime(2 * crowdGapMs)
    expect(sent).toEqual([
      { type: 'interface', data: sample(1) },
      { type: 'interface', data: sample(3), earlier: [sample(2)] },
      { type: 'interface', data: sample(4) },
    ])
  })

  it('sends what it holds as soon as the crowd has left', () => {
    const { frames, sent } = createFrames()
    for (const time of [1, 2]) frames.add(sample(time), CROWD)
    frames.add(sample(3), crowdViewers)
    vi.advanceTimersByTime(2 * crowdGapMs)
    expect(sent).toEqual([
      { type: 'interface', data: sample(1) },
      { type: 'interface', data: sample(3), earlier: [sample(2)] },
    ])
  })
})
