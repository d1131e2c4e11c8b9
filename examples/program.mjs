// Plays at the tables of a Ziggurat server, by a token for playing as a bot: any move that is legal (docs/programs.md).
//
//     node program.mjs https://games.example token.txt [the link of a table at which it shall sit down]
import { readFileSync } from 'node:fs'

const [server, file, link] = process.argv.slice(2)
const headers = { authorization: `Bearer ${readFileSync(file, 'utf8').trim()}`, 'content-type': 'application/json' }
const any = (list) => list[Math.floor(Math.random() * list.length)]

/** Asks the server, and waits where it says so; returns its answer, and the code of its refusal. */
async function ask(path, body) {
  const method = body === undefined ? 'GET' : 'POST'
  while (true) {
    const answer = await fetch(server.replace(/\/$/, '') + path, { method, headers, body: JSON.stringify(body) })
    if (answer.ok) return [answer, '']
    const wait = answer.headers.get('retry-after')
    if (wait === null) return [answer, (await answer.json()).code]
    await new Promise((resolve) => setTimeout(resolve, 1000 * wait))
  }
}

/** Reads a stream; an empty line says that it is still there. */
async function* lines(path) {
  const [answer] = await ask(path)
  let rest = ''
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
    const whole = (rest + text).split('\n')
    rest = whole.pop()
    for (const line of whole) if (line) yield JSON.parse(line)
  }
}

/** Makes a whole move: adds steps until nothing can follow. Where it comes too late, the next line asks again. */
async function move(table, { seq, decision: { legal } }) {
  const told = { seq, steps: [] }
  while (legal.length) {
    told.steps.push(any(legal).action)
    const [answer, refused] = await ask(`${table}/steps`, told)
    if (refused) return
    legal = (await answer.json()).legal
  }
  await ask(`${table}/moves`, told)
}

/** Plays a game to its end. */
async function play(table) {
  while (true)
    for await (const state of lines(`${table}/stream`)) {
      if (state.type === 'update' && state.table.status !== 'playing') return playing.delete(table)
      if (state.type === 'update' && state.decision.legal.length) await move(table, state)
    }
}

const playing = new Set()
if (link) {
  const [table, invite] = link.split('/').slice(-2)
  await ask(`/api/tables/${table}/join`, { invite, name: 'Robi' })
}
while (true)
  for await (const { table } of lines('/api/stream')) {
    const path = `/api/tables/${table?.id}`
    if (table?.seats.some((seat) => seat.kept === 'you')) await ask(`${path}/accept`, {})
    if (table?.status !== 'playing' || playing.has(path)) continue
    playing.add(path)
    void play(path)
  }
