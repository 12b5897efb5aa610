import { type AlertRule, RULE_DEFAULTS } from '#contract/monitor/alert.ts'
import {
  type Alert,
  type AlertEvent,
  type AlertFacts,
  type AlertSettings,
  type Child,
  type Condition,
  type Notice,
  emptyAlerts,
  applyChange,
} from '#domain/monitor/state.ts'
import { alertsDue, step } from '#domain/monitor/step.ts'

interface SettingsOver extends Partial<Omit<AlertSettings, 'rules'>> {
  readonly rules?: Partial<AlertSettings['rules']>
}

export const settingsWith = ({ rules = {}, ...over }: SettingsOver): AlertSettings => ({
  enable: true,
  routers: null,
  mutes: [],
  canEscalate: false,
  ...over,
  rules: { ...RULE_DEFAULTS, ...rules },
})

/** Every router is known; those of these networks are their members. */
export function createFacts(
  networks: Readonly<Record<string, { readonly centers: readonly string[]; readonly points: readonly string[] }>>,
): AlertFacts {
  const rows = Object.entries(networks)
  const networksOf = (name: string) =>
    rows
      .filter(([, { centers, points }]) => centers.includes(name) || points.includes(name))
      .map(([number, { centers }]) => ({ number, isCenter: centers.includes(name) }))
  const known = new Map<string, { readonly note: string; readonly networks: ReturnType<typeof networksOf> }>()
  const routers = {
    has: () => true,
    get: (name: string) => {
      const found = known.get(name) ?? { note: '', networks: networksOf(name) }
      known.set(name, found)
      return found
    },
  }
  return {
    routers: routers as unknown as AlertFacts['routers'],
    networks: new Map(
      rows.map(([number, { centers, points }]) => [
        number,
        { name: number, centers, points: points.length, popAreas: new Map([['POP1', '上海']]) },
      ]),
    ),
  }
}

/** The machine with a clock; alarms run when they are due, unless the hub sleeps. */
export class Simulation {
  now = 0
  state = emptyAlerts
  settings: AlertSettings
  readonly notices: Notice[] = []
  readonly alerts = new Map<string, Alert>()
  readonly children: Child[] = []
  facts: AlertFacts

  constructor(settings = settingsWith({}), facts = createFacts({})) {
    this.settings = settings
    this.facts = facts
  }

  run(event: AlertEvent): readonly Notice[] {
    const change = step(this.state, event, this.now, this.settings)
    this.state = applyChange(this.state, change)
    for (const alert of change.alerts.values()) this.alerts.set(alert.id, alert)
    this.children.push(...change.children.values())
    this.notices.push(...change.notices)
    return change.notices
  }

  bad(rule: AlertRule, object: string, at = this.now): void {
    this.run({ type: 'condition', rule, object, label: object, networks: [], isBad: true, at, reason: '' })
  }

  good(rule: AlertRule, object: string, at = this.now): void {
    this.run({ type: 'condition', rule, object, label: object, networks: [], isBad: false, at, reason: '' })
  }

  observe(conditions: readonly Condition[]): void {
    for (const condition of conditions) this.run({ type: 'condition', ...condition })
  }

  acknowledge(by: string): void {
    for (const alertId of this.state.alerts.keys()) this.run({ type: 'acknowledge', alertId, by })
  }

  change(settings: AlertSettings): void {
    this.settings = settings
    this.run({ type: 'settings' })
  }

  tick(): void {
    this.run({ type: 'tick', facts: this.facts })
  }

  /** Time passes without alarms. */
  sleep(ms: number): void {
    this.now += ms
  }

  advance(ms: number): void {
    const end = this.now + ms
    for (;;) {
      const due = alertsDue(this.state)
      if (due === null || due > end) break
      this.now = Math.max(this.now, due)
      this.tick()
    }
    this.now = end
  }

  records(): readonly Alert[] {
    return [...this.alerts.values()]
  }
}
