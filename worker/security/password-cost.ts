/**
 * scrypt at N=2^14, r=8, p=5: the OWASP row that fits a Worker's 128 MB and CPU time. PBKDF2 is no choice: production
 * caps it at 100,000 iterations although local runs do not (workerd#1346).
 */
export const COST = { N: 2 ** 14, r: 8, p: 5 } as const
