import { vitePreprocess } from '@sveltejs/vite-plugin-svelte'

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // Short names: the class is written on every element.
    cssHash: ({ hash, css }) => `z${hash(css).slice(0, 4)}`,
  },
}
