// boardgame.io's server with the smallest of games: a counter that everybody in turn adds one to.
import { createRequire } from 'node:module'

const require = createRequire(`${process.cwd()}/`)
const { FlatFile, Server } = require('boardgame.io/server')
const [port, storage] = process.argv.slice(2)

const counter = {
  name: 'counter',
  setup: () => ({ count: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { add: ({ G }) => ({ count: G.count + 1 }) },
}
const options = { games: [counter], origins: [`http://127.0.0.1:${port}`] }
if (storage !== 'memory') options.db = new FlatFile({ dir: storage, logging: false })
const server = Server(options)
await server.run(Number(port))
console.log('ready')
