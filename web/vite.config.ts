import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const server = process.env.ZIGGURAT_SERVER ?? 'http://127.0.0.1:8000'

/** What there is to play, for those who find the page by its description: the names in the games' catalogues. */
function games() {
  const rooms = fileURLToPath(new URL('../src/ziggurat/games/', import.meta.url))
  const names = readdirSync(rooms, { withFileTypes: true })
    .filter((room) => room.isDirectory() && !/^[_.]/.test(room.name))
    .map((room) => JSON.parse(readFileSync(`${rooms}${room.name}/text/en.json`, 'utf8')).name)
    .sort()
  return { name: 'games', transformIndexHtml: (html: string) => html.replace('%GAMES%', names.join(', ')) }
}

export default defineConfig({
  // Relative addresses: the page works wherever the server mounts it, because the router lives in the fragment.
  base: './',
  plugins: [svelte(), games()],
  build: {
    outDir: '../src/ziggurat/server/static',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows nothing inline, not even data: images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    manifest: true,
  },
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: server, ws: true }, '/schema': { target: server } },
  },
  test: { include: ['src/**/*.test.ts'] },
})
