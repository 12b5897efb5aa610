import { Link } from 'react-router'
import type { AttentionRow } from '#contract/kernel/health.ts'
import { LINK_WORD, PROBE_WORD } from '#contract/kernel/states.ts'
import type { Evidence } from '#contract/overview/index.ts'
import { timeText } from '#lib/format/format-time.ts'
import { countText } from '#lib/format/format-unit.ts'
import { memberLabel } from '#lib/format/member-label.ts'
import { withLinkedName } from '#lib/linked-name.ts'
import { paths } from '#lib/paths.ts'
import { SinceText } from '#ui/layout/text/time-text.tsx'
import { ErrorState } from '#ui/state/page-states.tsx'
import { Skeleton } from '#ui/state/skeleton.tsx'
import { TransitionList } from '#ui/state/transition-list.tsx'
import { useEvidence } from './api.ts'
import { AttentionVerbs } from './attention-verbs.tsx'
import styles from './attention-detail.module.css'

/* Evidence about a row that needs attention: since when, events, views of both ends, neighbours, steps and verbs. */

export function AttentionDetail({ row }: { readonly row: AttentionRow }) {
  const { data, error, mutate } = useEvidence(row.id)
  const evidence = data?.data
  if (evidence === undefined)
    return error === undefined ? <Skeleton lines={4} /> : <ErrorState error={error} onRetry={() => void mutate()} />
  if (evidence.row === null) return <p className={styles.over}>该事项已恢复</p>
  return (
    <>
      <div className={styles.sides}>
        <div role="group" aria-label="依据">
          <h3>依据</h3>
          <Facts row={row} evidence={evidence} />
          {evidence.events.length > 0 && (
            <TransitionList
              label="最近的状态变化"
              transitions={evidence.events}
              subject={(event) => <MemberLink {...event} />}
              empty=""
            />
          )}
        </div>
        <div role="group" aria-label="建议步骤">
          <h3>建议步骤</h3>
          <ol className={styles.steps}>
            {evidence.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
      </div>
      <AttentionVerbs row={row} restart={evidence.restart} />
    </>
  )
}

function Facts({
  row: { since, handled },
  evidence: { site, links, events },
}: {
  row: AttentionRow
  evidence: Evidence
}) {
  const isEmpty = since === null && handled === null && site === null && links.length === 0 && events.length === 0
  return (
    <ul className={styles.facts}>
      {since !== null && (
        <li>
          自 {timeText(since)}，已持续 <SinceText at={since} />
        </li>
      )}
      {handled !== null && (
        <li>
          {handled.by} 于 {timeText(handled.at)} 开始处理
        </li>
      )}
      {site !== null && (
        <li>
          公网地址 {site.address} 之后共 {countText(site.devices)} 台硬件，{countText(site.offline)} 台离线
        </li>
      )}
      {links.map((link) => (
        <li key={`${link.network_number} ${link.ends.map(({ note }) => note).join(' ')}`}>
          链路{LINK_WORD[link.state]}
          {link.reason !== '' && `（${link.reason}）`}
          {link.ends.map((end) => (
            <span key={end.router_name || end.note} className={styles.end}>
              <MemberLink {...end} />
              {end.receives === null ? '未上报' : PROBE_WORD[end.receives === 1 ? 'received' : 'lost']}
            </span>
          ))}
        </li>
      ))}
      {isEmpty && <li className="nl-muted">没有更多记录</li>}
    </ul>
  )
}

/** A POP node has no page. */
function MemberLink(member: { readonly router_name: string; readonly note: string }) {
  if (member.router_name === '') return <span>{member.note}</span>
  return (
    <Link to={paths.router(member.router_name)} state={withLinkedName(memberLabel(member))}>
      {memberLabel(member)}
    </Link>
  )
}
