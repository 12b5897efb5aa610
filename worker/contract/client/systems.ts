/** Operating systems of the client application, with their names. */
export const SYSTEM_NAME = {
  ios: 'iOS',
  macos: 'macOS',
  windows: 'Windows',
  android: 'Android',
  linux: 'Linux',
  harmonyos: 'HarmonyOS',
} as const
export type ClientSystem = keyof typeof SYSTEM_NAME

export const CLIENT_SYSTEMS = Object.keys(SYSTEM_NAME) as [ClientSystem, ...ClientSystem[]]
