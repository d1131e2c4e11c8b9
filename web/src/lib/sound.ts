/** A short sound of our own: two soft strokes on wood, a fifth apart. */
const STROKES = [
  { after: 0, pitch: 587.33 },
  { after: 0.13, pitch: 880 },
]
const RINGS = 0.32

let context: AudioContext | undefined

/** Sounds, in browsers that can and let us: they do not before somebody has touched the page. */
export function ring(): void {
  if (!('AudioContext' in window) || !navigator.userActivation?.hasBeenActive) return
  context ??= new AudioContext()
  void context.resume()
  for (const { after, pitch } of STROKES) {
    const [body, shell, loudness] = [context.createOscillator(), context.createOscillator(), context.createGain()]
    const begin = context.currentTime + 0.02 + after
    body.type = 'sine'
    body.frequency.value = pitch
    shell.type = 'triangle'
    shell.frequency.value = pitch * 2.76 // as a wooden bar has it, and no string
    const touch = context.createGain()
    touch.gain.setValueAtTime(0.25, begin)
    touch.gain.exponentialRampToValueAtTime(0.001, begin + 0.06)
    loudness.gain.setValueAtTime(0.0001, begin)
    loudness.gain.exponentialRampToValueAtTime(0.16, begin + 0.008)
    loudness.gain.exponentialRampToValueAtTime(0.0001, begin + RINGS)
    shell.connect(touch).connect(loudness)
    body.connect(loudness).connect(context.destination)
    for (const part of [body, shell]) {
      part.start(begin)
      part.stop(begin + RINGS)
    }
  }
}
