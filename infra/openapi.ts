import { openapiDocument } from '#features/openapi/document.ts'

process.stdout.on('error', () => process.exit(0)) // EPIPE, e.g. `| head`
process.stdout.write(`${JSON.stringify(openapiDocument(), null, 2)}\n`)
