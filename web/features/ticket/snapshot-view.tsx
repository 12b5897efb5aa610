import { type ReactNode, useId } from 'react'
import type { Snapshot, SnapshotLink } from '#contract/ticket/snapshot.ts'
import { PRESENCE_WORD } from '#contract/kernel/states.ts'
import { configVersionText } from '#lib/format/config-version.ts'
import { timeText } from '#lib/format/format-time.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { ConfigTag, HealthBadge, LinkBadge, StatusBadge } from '#ui/state/status-badge.tsx'
import styles from './conversation.module.css'

/* Diagnostic snapshot (诊断快照) of a member or network, shown in a ticket. */

type RouterSnapshot = Extract<Snapshot, { kind: 'router' }>
type NetworkSnapshot = Extract<Snapshot, { kind: 'network' }>

export function SnapshotView({ snapshot }: { readonly snapshot: Snapshot }) {
  const noun = snapshot.kind === 'router' ? '成员' : '组网'
  const name =
    snapshot.kind === 'router' ? memberLabel({ router_name: snapshot.name, note: snapshot.note }) : snapshot.name
  return (
    <details className={styles.snapshot}>
      <summary>
        诊断快照 · {noun}“{name}” · {timeText(snapshot.taken_at)}
      </summary>
      <div>
        {snapshot.incomplete === 1 && <span className="nl-muted">生成时部分实时状态不可用，内容不完整</span>}
        {snapshot.kind === 'router' ? <RouterParts snapshot={snapshot} /> : <NetworkParts snapshot={snapshot} />}
        <Rows
          title={`链路（共 ${snapshot.link_count} 条）`}
          rows={snapshot.links.map((link) => [linkKey(link), <LinkRow key="link" link={link} />])}
        />
      </div>
    </details>
  )
}

function RouterParts({ snapshot }: { readonly snapshot: RouterSnapshot }) {
  const { presence, config, networks, transitions } = snapshot
  return (
    <>
      <Facts
        facts={[
          { label: '成员', value: <span className="nl-mono">{snapshot.name}</span> },
          { label: '状态', value: <StatusBadge state={presence.state} /> },
          { label: '状态开始于', value: presence.since === null ? '—' : timeText(presence.since) },
          { label: '配置', value: <ConfigTag state={config.state} /> },
          { label: '配置版本', value: configVersionText(config) || '—' },
          { label: '型号与软件版本', value: [snapshot.model, snapshot.version].filter(Boolean).join(' · ') || '—' },
          { label: '所在组网', value: networks.map((network) => network.network_name).join('、') || '—' },
        ]}
      />
      <Rows
        title="最近的状态变化"
        rows={transitions.map(({ at, from, to, reason }) => [
          `${at} ${to}`,
          `${timeText(at)} ${PRESENCE_WORD[from]} → ${PRESENCE_WORD[to]}${reason && `（${reason}）`}`,
        ])}
      />
    </>
  )
}

function NetworkParts({ snapshot }: { readonly snapshot: NetworkSnapshot }) {
  return (
    <>
      <Facts
        facts={[
          { label: '组网编号', value: <span className="nl-mono">{snapshot.network_number}</span> },
          { label: '状态', value: snapshot.network_status === 1 ? '正常' : '成员配额不足，已停用' },
          { label: '运行状态', value: <HealthBadge health={snapshot.health} /> },
          { label: '配置版本', value: String(snapshot.revision) },
        ]}
      />
      <Rows
        title="成员（按最近的状态变化）"
        rows={snapshot.members.map((member) => [
          member.router_name,
          <span key="member">
            {memberLabel(member)} <StatusBadge state={member.presence.state} />{' '}
            {member.presence.since !== null && `自 ${timeText(member.presence.since)}`}{' '}
            <ConfigTag state={member.config.state} />
          </span>,
        ])}
      />
    </>
  )
}

const linkKey = (link: SnapshotLink): string => `${link.network_number} ${link.router_name} ${link.center_router_name}`

function LinkRow({ link }: { readonly link: SnapshotLink }) {
  return (
    <>
      <span>
        {link.router_name} → {link.center_router_name}
      </span>
      <LinkBadge state={link.state} />
      {link.reason !== '' && <span className="nl-muted">{link.reason}</span>}
      {link.rtt_ms !== null && <span>{Math.round(link.rtt_ms)} ms</span>}
    </>
  )
}

function Rows({ title, rows }: { title: string; rows: readonly (readonly [key: string, content: ReactNode])[] }) {
  const id = useId()
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul className={styles.rows}>
        {rows.map(([key, content]) => (
          <li key={key}>{content}</li>
        ))}
      </ul>
    </section>
  )
}
