import Button from '@douyinfe/semi-ui/lib/es/button'
import { useState } from 'react'
import { Link } from 'react-router'
import type { AttentionRow } from '#contract/kernel/health.ts'
import { coversNetwork, isAllowed } from '#contract/kernel/permissions.ts'
import { NETWORK_JOB_NAME } from '#contract/network/jobs.ts'
import type { Evidence } from '#contract/overview/index.ts'
import { paths } from '#lib/paths.ts'
import { withTicketDraft } from '#lib/ticket-draft.ts'
import { useGrants, useUser } from '#lib/session/session.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { lazyDialog } from '#ui/dialog/lazy-dialog.tsx'
import { useHandle, useMute, useRestartTunnels } from './api.ts'
import styles from './attention-detail.module.css'
import { toTicketDraft } from './ticket-draft.ts'

/* Verbs against the trouble of a row that needs attention, as far as the role may use them. */

const DiagnosisDialog = lazyDialog(() =>
  import('#ui/member/diagnosis/diagnosis-dialog.tsx').then((m) => m.DiagnosisDialog),
)

interface AttentionVerbsProps {
  readonly row: AttentionRow
  readonly restart: Evidence['restart']
}

export function AttentionVerbs({ row, restart }: AttentionVerbsProps) {
  const grants = useGrants()
  const { username } = useUser()
  const [handle, mute, respawn] = [useHandle(), useMute(), useRestartTunnels()]
  const { name, handled } = row
  const muted = isAllowed('monitor:edit', grants) ? toMuted(row) : null
  const canRestart =
    restart !== null && isAllowed('network:edit', grants) && coversNetwork(grants, restart.network_number)
  return (
    <div className={styles.verbs}>
      {handled === null ? (
        <Button
          theme="solid"
          loading={handle.isMutating}
          aria-label={`我来处理 ${name}`}
          onClick={() => void handle.trigger({ id: row.id }).catch(() => null)} // the toast says why not
        >
          我来处理
        </Button>
      ) : (
        <span className="nl-muted">{handled.by === username ? '由你处理中' : `${handled.by} 处理中`}</span>
      )}
      {canRestart && (
        <Button
          type="tertiary"
          theme="outline"
          aria-label={`${NETWORK_JOB_NAME.reset_respawn} ${name}`}
          onClick={() =>
            void confirm({
              title: `${NETWORK_JOB_NAME.reset_respawn}“${name}”？`,
              body: '该设备在该组网的隧道会重新启动，期间它的链路会短暂中断。',
              verb: NETWORK_JOB_NAME.reset_respawn,
              danger: true,
              run: () => respawn.trigger(restart),
            })
          }
        >
          {NETWORK_JOB_NAME.reset_respawn}
        </Button>
      )}
      <DiagnoseVerb target={row.target} name={name} />
      {muted !== null && (
        <Button
          type="tertiary"
          theme="outline"
          loading={mute.isMutating}
          aria-label={`静默 1 小时 ${name}`}
          onClick={() => void mute.trigger({ ...muted, duration: 'hour' }).catch(() => null)}
        >
          静默 1 小时
        </Button>
      )}
      {row.target.type !== 'ticket' && (
        <Link to={toTicket(row)} state={withTicketDraft(toTicketDraft(row))} aria-label={`提交工单 ${name}`}>
          提交工单
        </Link>
      )}
    </div>
  )
}

const DIAGNOSED: readonly AttentionRow['target']['type'][] = ['link', 'router', 'network']

/** Opens a diagnosis between the ends of a link, or from a router or network. */
function DiagnoseVerb({ target, name }: { readonly target: AttentionRow['target']; readonly name: string }) {
  const grants = useGrants()
  const [isOpen, setOpen] = useState(false)
  const { type, network_number: number, router_name, center_router_name } = target
  if (number === null || !DIAGNOSED.includes(type)) return null
  if (!isAllowed('network:edit', grants) || !coversNetwork(grants, number)) return null
  return (
    <>
      <Button type="tertiary" theme="outline" aria-label={`诊断 ${name}`} onClick={() => setOpen(true)}>
        诊断
      </Button>
      {isOpen && (
        <DiagnosisDialog
          networkNumber={number}
          from={router_name ?? ''}
          to={center_router_name ?? ''}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** Object whose alerts a mute holds back; null: none of monitoring. */
function toMuted({ target: { type, router_name, network_number } }: AttentionRow) {
  if (type === 'saas') return null
  if (router_name !== null) return { kind: 'router', router_name } as const
  return network_number === null ? null : ({ kind: 'network', network_number } as const)
}

/** Ticket with a snapshot of the member or network. */
function toTicket({ target: { router_name, network_number } }: AttentionRow): string {
  if (router_name !== null) return paths.ticketAbout({ router_name })
  return network_number === null ? paths.createTicket : paths.ticketAbout({ network_number })
}
