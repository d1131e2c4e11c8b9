/** A short sound of our own: two soft strokes on wood, a fifth apart. */
const STROKES = [587.33, 880]
const APART = 0.13
const RINGS = 0.32

let context: AudioContext | undefined

/** Sounds, in browsers that can and let us: they do not before the first touch of the page. */
export function ring(): void {
  if (!('AudioContext' in window) || !navigator.userActivation?.hasBeenActive) return
  context ??= new AudioContext()
  void context.resume()
  for (const [at, pitch] of STROKES.entries()) {
    const begin = context.currentTime + 0.02 + at * APART
    const loudness = context.createGain()
    loudness.gain.setValueAtTime(0.0001, begin)
    loudness.gain.exponentialRampToValueAtTime(0.16, begin + 0.008)
    loudness.gain.exponentialRampToValueAtTime(0.0001, begin + RINGS)
    const wood = context.createOscillator()
    wood.type = 'triangle'
    wood.frequency.value = pitch
    wood.connect(loudness).connect(context.destination)
    wood.start(begin)
    wood.stop(begin + RINGS)
  }
}
