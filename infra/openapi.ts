import { openapiDocument } from '#features/openapi/document.ts'

/* `npm run openapi`: prints the OpenAPI document of the product. */

process.stdout.on('error', () => process.exit(0)) // EPIPE, e.g. `| head`
process.stdout.write(`${JSON.stringify(openapiDocument(), null, 2)}\n`)
