import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const server = process.env.ZIGGURAT_SERVER ?? 'http://127.0.0.1:8000'

export default defineConfig({
  // Relative addresses: the page works wherever the server mounts it, because the router lives in the fragment.
  base: './',
  plugins: [svelte()],
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
