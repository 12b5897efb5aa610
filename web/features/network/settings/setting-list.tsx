import { useId } from 'react'
import { useGrants, useUser } from '#lib/session/session.ts'
import { ActionButton } from '#ui/layout/buttons/action-button.tsx'
import type { RowAction } from '#ui/table/row-actions.tsx'
import type { Member, NetworkInfo } from '../live-network.ts'
import { blockedBy, isShown, memberRights, type NetworkRights, networkRights } from '../rights.ts'
import { useOpenDialog } from './dialog-context.ts'
import {
  MEMBER_SETTINGS,
  type MemberScope,
  NETWORK_SETTINGS,
  SETTING_GROUPS,
  type SettingEntry,
  type SettingScope,
} from './dialog-table.ts'
import styles from './setting-list.module.css'

/* Settings of a network or member with their values in words, by group, each with the button that changes it. */

export function SettingList({ label, settings }: { label: string; settings: ReturnType<typeof toSetting>[] }) {
  const id = useId()
  return (
    <>
      <h3 id={id} className={styles.heading}>
        {label}
      </h3>
      <ul className={`nl-lined ${styles.list}`} aria-labelledby={id}>
        {settings.map(({ key, title, value, blocked, onEdit }) => (
          <li key={key}>
            <span>{title}</span>
            <span className={styles.value}>{value}</span>
            {onEdit !== null && (
              <ActionButton
                theme="borderless"
                size="small"
                blocked={blocked}
                aria-label={`修改 ${title}`}
                onClick={onEdit}
              >
                修改
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

export function useNetworkSettings(info: NetworkInfo) {
  const { rights, auth, open } = useScope(info)
  return toGroups(NETWORK_SETTINGS, { info, auth }, rights, open)
}

export function useMemberSettings(info: NetworkInfo, member: Member) {
  const { rights, auth, open } = useScope(info)
  const scope: MemberScope = { info, auth, member }
  return toGroups(MEMBER_SETTINGS, scope, memberRights(rights, member), (key) => open(key, member.router_name))
}

/** Settings of a member as actions of its row, in the order of the panel; none for a role that may only look. */
export function useSettingActions(info: NetworkInfo): (member: Member) => readonly RowAction[] {
  const { rights, auth, open } = useScope(info)
  return (member) =>
    toGroups(MEMBER_SETTINGS, { info, auth, member }, memberRights(rights, member), (key) =>
      open(key, member.router_name),
    ).flatMap(({ settings }) =>
      settings.flatMap(({ title, blocked, onEdit }) =>
        onEdit === null ? [] : [{ label: title, blocked, onSelect: onEdit }],
      ),
    )
}

function useScope(info: NetworkInfo) {
  const rights = networkRights(useGrants(), info)
  return { rights, auth: useUser().auth, open: useOpenDialog() }
}

/** The settings that are shown, by group; groups without any are left out. */
export function toGroups<Scope extends SettingScope>(
  rows: readonly SettingEntry<Scope>[],
  scope: Scope,
  rights: NetworkRights,
  open: (key: string) => void,
) {
  const shown = rows.filter(({ shows }) => shows === undefined || shows(scope))
  return SETTING_GROUPS.map((group) => ({
    group,
    settings: shown.filter((row) => row.group === group).map((row) => toSetting(row, scope, rights, open)),
  })).filter(({ settings }) => settings.length > 0)
}

function toSetting<Scope extends SettingScope>(
  { key, title, right: usual = 'set', value, blocked, isOn }: SettingEntry<Scope>,
  scope: Scope,
  rights: NetworkRights,
  open: (key: string) => void,
) {
  const right = rights[isOn?.(scope) ? 'turnOff' : usual]
  return {
    key,
    title,
    value: value(scope),
    /** Reason why the setting cannot be changed; null if it can. */
    blocked: blockedBy(right) ?? blocked?.(scope) ?? null,
    /** Opens the dialog; null if the role may only look. */
    onEdit: isShown(right) ? () => open(key) : null,
  }
}
