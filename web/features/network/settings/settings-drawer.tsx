import { SideDrawer } from '#ui/dialog/side-drawer.tsx'
import type { NetworkDialogProps } from './dialog-context.ts'
import { SettingList, useNetworkSettings } from './setting-list.tsx'

/** 配置: every setting of the network with its value, by group. */
export function SettingsDrawer({ info, onClose }: NetworkDialogProps) {
  return (
    <SideDrawer title="组网配置" widthPx={520} onClose={onClose}>
      {useNetworkSettings(info).map(({ group, settings }) => (
        <SettingList key={group} label={group} settings={settings} />
      ))}
    </SideDrawer>
  )
}
