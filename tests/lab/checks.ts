import { BASIS } from './basis.ts'
import { CENTER_LINKS } from './center-links.ts'
import type { Check } from './check.ts'
import { CERTIFICATES } from './certificates.ts'
import { CIPHERS } from './ciphers.ts'
import { DEFAULTS } from './defaults.ts'
import { DIRECT } from './direct.ts'
import { FAULTS_NAMED } from './explained/faults.ts'
import { PROFILES } from './explained/profile.ts'
import { SCOPED } from './explained/scope.ts'
import { MEMBERS } from './members.ts'
import { NAMES } from './names.ts'
import { OPERATION } from './operation.ts'
import { PORTS } from './ports.ts'
import { PREFIXES } from './prefixes.ts'
import { REFUSALS } from './refusals.ts'
import { ROUTING } from './routing.ts'
import { SERVICE } from './service.ts'
import { ORDERED_BANDWIDTH } from './pop/bandwidth.ts'
import { SEPARATED_CUSTOMERS } from './pop/isolation.ts'
import { PREFERENCE } from './pop/preference.ts'
import { NODE_DIALLED } from './pop/software-mode.ts'
import { THROUGHPUT } from './pop/throughput.ts'
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
  ...CENTER_LINKS,
  ...DIRECT,
  ...PREFIXES,
  ...DEFAULTS,
  ...NAMES,
  ...MEMBERS,
  ...SOFTWARE_ADDRESSES,
  ...SOFTWARE,
  ...PROFILES,
  ...REFUSALS,
  ...OPERATION,
  ...CERTIFICATES,
  ...SERVICE,
  ...FAULTS_NAMED,
  ...SCOPED,
  ...PREFERENCE,
  ...THROUGHPUT,
  ...ORDERED_BANDWIDTH,
  ...SEPARATED_CUSTOMERS,
  ...NODE_DIALLED,
]
