import { parseBgpConfig, type BgpConfig } from '#infra/agent/drivers/linux/frr/running-config.ts'
import { withScratchBgpd } from '#infra/agent/drivers/linux/frr/scratch-bgpd.ts'
import { type VtyAnswer, configureDaemon, queryDaemon } from '#infra/agent/drivers/linux/frr/vty.ts'

export interface LoadedConfig {
  readonly refused: readonly VtyAnswer[]
  /** Answer to `show running-config`. */
  readonly running: string
  readonly config: BgpConfig
}

/** Loads a configuration into a bgpd of its own, and answers what it did not accept and how it understood the rest. */
export const loadIntoBgpd = (folder: string, text: string): Promise<LoadedConfig> =>
  withScratchBgpd(folder, (socket) => loadLines(socket, text.split('\n').filter(Boolean), false))

/** Gives lines to a running bgpd, as the driver does, or one by one. */
export async function loadLines(socket: string, lines: readonly string[], isBatched = true): Promise<LoadedConfig> {
  const refused = await configureDaemon(socket, lines, isBatched)
  const running = await queryDaemon(socket, 'show running-config')
  return { refused, running, config: parseBgpConfig(running) }
}
