import { BASIS } from './basis.ts'
import type { Check } from './check.ts'
import { CIPHERS } from './ciphers.ts'
import { DEFAULTS } from './defaults.ts'
import { NAMES } from './names.ts'
import { OPERATION } from './operation.ts'
import { PORTS } from './ports.ts'
import { PREFIXES } from './prefixes.ts'
import { REFUSALS } from './refusals.ts'
import { ROUTING } from './routing.ts'
import { SOFTWARE_ADDRESSES } from './software-addresses.ts'
import { SOFTWARE } from './software.ts'
import { STANDS } from './stands.ts'

/** Every check of the lab, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  STANDS,
  ...BASIS,
  ...PORTS,
  ...CIPHERS,
  ...ROUTING,
  ...PREFIXES,
  ...DEFAULTS,
  ...NAMES,
  ...SOFTWARE_ADDRESSES,
  ...SOFTWARE,
  ...REFUSALS,
  ...OPERATION,
]
