import { SideDrawer } from '#ui/dialog/dialog.tsx'
import { SettingList, useNetworkSettings } from './setting-list.tsx'
import type { NetworkDialogProps } from './dialog-context.ts'

/** Drawer of all settings (配置) of a network with their values, by group. */
export function SettingsDrawer({ info, onClose }: NetworkDialogProps) {
  return (
    <SideDrawer title="组网配置" widthPx={520} onClose={onClose}>
      {useNetworkSettings(info).map(({ group, settings }) => (
        <SettingList key={group} label={group} settings={settings} />
      ))}
    </SideDrawer>
  )
}
