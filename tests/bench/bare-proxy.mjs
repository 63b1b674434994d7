// The yardstick: the least a proxy for model calls can do in Node. It reads the body, parses it, puts the bare model
// name in, writes it again, sends it on, and pipes the answer back. No key check, no log, no second try.
import { createServer } from 'node:http'
import { Agent, request } from 'undici'

const upstream = process.argv[2]
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 })

const server = createServer((incoming, response) => {
  const chunks = []
  incoming.on('data', (chunk) => chunks.push(chunk))
  incoming.on('end', () => {
    forward(incoming, chunks, response).catch((error) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end(String(error))
    })
  })
})

async function forward(incoming, chunks, response) {
  const call = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  call.model = call.model.slice(call.model.indexOf('/') + 1)
  const answer = await request(upstream + incoming.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: incoming.headers.authorization },
    body: JSON.stringify(call),
    dispatcher: agent,
  })
  const headers = { 'content-type': answer.headers['content-type'] }
  const length = answer.headers['content-length']
  if (length !== undefined) headers['content-length'] = length
  response.writeHead(answer.statusCode, headers)
  answer.body.on('error', () => response.destroy())
  response.on('close', () => answer.body.destroy())
  answer.body.pipe(response)
}

server.keepAliveTimeout = 75_000
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address()
  process.stdout.write(`${JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${port}` })}\n`)
})
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
