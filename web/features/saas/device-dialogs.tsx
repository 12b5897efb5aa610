import { useCallback } from 'react'
import { checkBandwidth } from '#domain/saas/bandwidth.ts'
import { BandwidthDialog } from '#ui/dialog/bandwidth-dialog.tsx'
import { MemberNoteDialog } from '#ui/member/member-note-dialog.tsx'
import { useSetBandwidth, useSetNote } from './api.ts'
import type { SaasRow } from './saas-text.ts'

/* Dialogs of a SaaS device: note and bandwidth. */

export function NoteDialog({ device, onClose }: { readonly device: SaasRow; readonly onClose: () => void }) {
  const { trigger } = useSetNote()
  return <MemberNoteDialog member={device} save={trigger} onClose={onClose} />
}

export function SaasBandwidthDialog({ device, onClose }: { readonly device: SaasRow; readonly onClose: () => void }) {
  const { share, expire_date: expireAt, max_bandwidth: maxBandwidth } = device
  const { trigger } = useSetBandwidth()
  const check = useCallback(
    (value: number) => checkBandwidth({ share, expireAt, maxBandwidth, poolMax: null }, value, Date.now()),
    [share, expireAt, maxBandwidth],
  )
  return <BandwidthDialog draftKey="saas bandwidth" save={trigger} {...{ device, check, onClose }} />
}
