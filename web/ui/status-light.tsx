import { Fragment } from 'react'
import { timeText } from '../lib/format-time.ts'
import { Glyph, type Shape, type Tone } from './glyph.tsx'
import { Hint } from './hint.tsx'
import './status.css'

interface Look {
  readonly word: string
  readonly shape: Shape
  readonly tone: Tone
}

const PRESENCE = {
  online: { word: '在线', shape: 'disc', tone: 'ok' },
  reconnecting: { word: '重连中', shape: 'half', tone: 'warn' },
  offline: { word: '离线', shape: 'ring', tone: 'bad' },
  flapping: { word: '抖动', shape: 'diamond', tone: 'warn' },
  never: { word: '从未上线', shape: 'dashed', tone: 'idle' },
  disabled: { word: '已停用', shape: 'dash', tone: 'idle' },
  unknown: { word: '未知', shape: 'question', tone: 'idle' },
} as const satisfies Record<string, Look>

const LINK = {
  up: { word: '连通', shape: 'disc', tone: 'ok' },
  down: { word: '断开', shape: 'ring', tone: 'bad' },
  one_sided: { word: '单边', shape: 'half', tone: 'warn' },
  unknown: { word: '未知', shape: 'question', tone: 'idle' },
} as const satisfies Record<string, Look>

const CONFIG = {
  applied: { word: '已生效', shape: 'tick', tone: 'ok' },
  pushing: { word: '下发中', shape: 'arrow', tone: 'busy' },
  queued: { word: '排队', shape: 'dots', tone: 'idle' },
  failed: { word: '失败', shape: 'cross', tone: 'bad' },
  drifted: { word: '未同步', shape: 'unequal', tone: 'warn' },
  reverted: { word: '已回退', shape: 'back', tone: 'warn' },
} as const satisfies Record<string, Look>

export type PresenceState = keyof typeof PRESENCE
export type LinkState = keyof typeof LINK
export type ConfigState = keyof typeof CONFIG

interface Facts {
  /** Why it is so, in the device's or the hub's own words. */
  readonly reason?: string | null | undefined
  readonly since?: number | null | undefined
  readonly lastSeen?: number | null | undefined
  /** Our own channel is down: what is shown is the last that was known. */
  readonly stale?: boolean | undefined
}

/** Presence of a member. */
export function StatusLight({ state, ...facts }: Facts & { readonly state: PresenceState }) {
  return <Light look={PRESENCE[state]} facts={facts} className="nl-light" />
}

/** State of a link between two members. */
export function LinkLight({ state, ...facts }: Facts & { readonly state: LinkState }) {
  return <Light look={LINK[state]} facts={facts} className="nl-light" />
}

/** How far a configuration has got. */
export function ConfigTag({ state, ...facts }: Facts & { readonly state: ConfigState }) {
  return <Light look={CONFIG[state]} facts={facts} className="nl-light nl-tag" />
}

function Light({ look, facts, className }: { look: Look; facts: Facts; className: string }) {
  const light = (
    <span className={`${className} nl-tone-${facts.stale ? 'idle' : look.tone}`}>
      <Glyph shape={look.shape} tone={facts.stale ? 'idle' : look.tone} />
      <span className="nl-light-word">{look.word}</span>
    </span>
  )
  const told = explain(facts)
  if (told.length === 0) return light
  return (
    <Hint focusable content={<FactList facts={told} />}>
      {light}
    </Hint>
  )
}

function explain({ reason, since, lastSeen, stale }: Facts): readonly (readonly [string, string])[] {
  const told: (readonly [string, string])[] = []
  if (stale) told.push(['注意', '实时通道已断开，此为最后已知状态'])
  if (reason) told.push(['原因', reason])
  if (since) told.push(['开始于', timeText(since)])
  if (lastSeen) told.push(['最近在线', timeText(lastSeen)])
  return told
}

function FactList({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <dl className="nl-facts">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
