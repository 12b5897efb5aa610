import { X509Certificate } from 'node:crypto'
import { CERTIFICATE } from '#contract/device/limits.ts'
import type { WantedProcess } from './wanted.ts'

/**
 * True if a process restarts for the renewed certificate: its own, in memory since its start, soon ends, or it lacks the mark
 * of a gateway, without which software members refuse their server.
 */
export function isRestartDue(role: WantedProcess['role'], running: string, renewed: string, now: number): boolean {
  if (running === renewed) return false
  if (endOf(running) < now + CERTIFICATE.restartMs) return true
  return role === 'software-server' && isGateway(renewed) && !isGateway(running)
}

const endOf = (pem: string): number => Date.parse(readCertificate(pem)?.validTo ?? '') || 0

const isGateway = (pem: string): boolean => readCertificate(pem)?.keyUsage?.includes(CERTIFICATE.gatewayUsage) ?? false

function readCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}
